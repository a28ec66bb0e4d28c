//! Words and sentences for generated documents, in several languages.

use super::Random;

/// A language, with texts about nothing much.
pub(super) struct Tongue {
    /// Its code, as `i18n` tables have it.
    pub(super) code: &'static str,
    labels: &'static [&'static str],
    sentences: &'static [&'static str],
}

/// Every language; the first one is that of most registries.
pub(super) const TONGUES: &[Tongue] = &[
    Tongue {
        code: "en",
        labels: &["Orchard", "Night Desk", "Paper Mill", "Lantern Room", "Second Opinion", "Field Notes"],
        sentences: &[
            "Sorts what came in and says what can wait.",
            "Keeps a list of open questions, and who asked them.",
            "Answers in two sentences, then offers more.",
            "Looks at the numbers of yesterday before those of today.",
        ],
    },
    Tongue {
        code: "de",
        labels: &["Obstgarten", "Nachtschicht", "Papiermühle", "Zweite Meinung", "Feldnotizen"],
        sentences: &[
            "Ordnet, was hereinkam, und sagt, was warten kann.",
            "Führt eine Liste offener Fragen: wer fragte, und wann.",
            "Antwortet in zwei Sätzen und bietet dann mehr an.",
        ],
    },
    Tongue {
        code: "zh",
        labels: &["果园", "夜班台", "造纸坊", "第二意见", "田野笔记"],
        sentences: &[
            "整理收到的内容，并说明哪些可以等。",
            "记录未解决的问题，以及是谁提出的。",
            "先用两句话回答，再补充细节。",
        ],
    },
    Tongue {
        code: "ar",
        labels: &["البستان", "مكتب الليل", "مطحنة الورق", "رأي ثان", "ملاحظات الحقل"],
        sentences: &[
            "يرتب ما وصل ويقول ما يمكن أن ينتظر.",
            "يحتفظ بقائمة الأسئلة المفتوحة ومن طرحها.",
            "يجيب بجملتين ثم يعرض المزيد.",
        ],
    },
    Tongue {
        code: "ru",
        labels: &["Сад", "Ночная смена", "Бумажная мельница", "Второе мнение", "Полевые заметки"],
        sentences: &[
            "Разбирает входящее и говорит, что может подождать.",
            "Ведёт список открытых вопросов и тех, кто их задал.",
            "Отвечает двумя фразами, затем предлагает подробности.",
        ],
    },
    Tongue {
        code: "hi",
        labels: &["बाग़", "रात की मेज़", "काग़ज़ मिल", "दूसरी राय", "खेत के नोट"],
        sentences: &[
            "जो आया उसे छाँटता है और बताता है कि क्या रुक सकता है।",
            "खुले प्रश्नों की सूची रखता है।",
            "दो वाक्यों में उत्तर देता है।",
        ],
    },
    Tongue {
        code: "ja",
        labels: &["果樹園", "夜の机", "紙工場", "セカンドオピニオン", "野帳"],
        sentences: &[
            "届いたものを整理し、後でよいものを知らせます。",
            "未解決の質問と質問者を記録します。",
            "二文で答え、続きを提案します。",
        ],
    },
    Tongue {
        code: "he",
        labels: &["פרדס", "דלפק לילה", "טחנת נייר", "דעה שנייה"],
        sentences: &["ממיין את מה שהגיע ואומר מה יכול לחכות.", "שומר רשימה של שאלות פתוחות."],
    },
    Tongue {
        code: "vi",
        labels: &["Vườn cây", "Bàn trực đêm", "Xưởng giấy", "Ý kiến thứ hai"],
        sentences: &[
            "Sắp xếp những gì vừa đến và cho biết việc nào có thể chờ.",
            "Giữ danh sách câu hỏi còn mở.",
        ],
    },
];

/// Words for ids.
const STEMS: &[&str] = &[
    "amber", "birch", "cinder", "delta", "ember", "fjord", "grove", "hazel", "iris", "jasper", "kelp",
    "loam", "maple", "nectar", "opal", "pebble", "quartz", "reed", "sable", "tundra", "umber", "velvet",
    "willow", "xenon", "yarrow", "zephyr", "zhongwen", "kitab", "pochta", "kagaz",
];

impl Tongue {
    /// The name of something.
    pub(super) fn label(&self, random: &mut Random) -> String {
        format!("{} {}", random.of(self.labels), random.between(2, 9999))
    }

    /// A sentence about it.
    pub(super) fn sentence(&self, random: &mut Random) -> String {
        format!("{} ({})", random.of(self.sentences), random.between(2, 9999))
    }

    /// Several lines.
    pub(super) fn lines(&self, random: &mut Random) -> String {
        let mut text = String::new();
        for _ in 0..random.between(1, 4) {
            text.push_str(random.of(self.sentences));
            text.push('\n');
        }
        text
    }
}

/// An id that no other has: `number` is its own.
pub(super) fn id(random: &mut Random, number: usize) -> String {
    match random.below(3) {
        0 => format!("{}{number}", random.of(STEMS)),
        1 => format!("{}-{number}", random.of(STEMS)),
        _ => format!("{}-{}-{number}", random.of(STEMS), random.of(STEMS)),
    }
}

/// A lowercase word.
pub(super) fn word(random: &mut Random) -> &'static str {
    random.of(STEMS)
}
