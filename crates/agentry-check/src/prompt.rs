//! Words of prompts that mean something to a runtime.

use std::ops::Range;

/// The tools of the LibreFang runtime that a text speaks of, in the order of the text, each with its place. A name in a
/// longer one, in a path or a file's name, or before a colon in JSON is none.
pub(crate) fn tools(text: &str) -> Vec<(&str, Range<usize>)> {
    words(text).filter(|(word, place)| is_tool(word) && stands_alone(text, place)).collect()
}

/// The words of a text: letters, digits and `_`, as many as there are together.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
        at = end;
        Some((&text[start..end], start..end))
    })
}

fn stands_alone(text: &str, place: &Range<usize>) -> bool {
    let before = text[..place.start].chars().next_back();
    let rest = &text[place.end..];
    let mut after = rest.chars();
    let next = after.next();
    let part_of_more = matches!(before, Some('.' | '$' | '@' | '#' | '-' | '{'))
        || matches!(next, Some('-'))
        || next == Some('.') && after.next().is_some_and(char::is_alphanumeric);
    let assigned = rest.trim_start_matches('"').trim_start().starts_with(['=', ':']) && {
        // `"task_list": []` is a key, and `- web_search: finds pages` tells what a tool does.
        rest.starts_with('"') || rest.trim_start().starts_with('=')
    };
    !part_of_more && !assigned
}

/// The tools that the LibreFang runtime (August 2026) has itself, in order.
const TOOLS: [&str; 91] = [
    "a2a_discover",
    "a2a_send",
    "agent_find",
    "agent_kill",
    "agent_list",
    "agent_send",
    "agent_spawn",
    "apply_patch",
    "browser_back",
    "browser_click",
    "browser_close",
    "browser_navigate",
    "browser_read_page",
    "browser_run_js",
    "browser_screenshot",
    "browser_scroll",
    "browser_type",
    "browser_wait",
    "canvas_present",
    "channel_send",
    "code_search",
    "cron_cancel",
    "cron_create",
    "cron_enable",
    "cron_list",
    "docker_exec",
    "event_publish",
    "file_list",
    "file_read",
    "file_write",
    "goal_update",
    "hand_activate",
    "hand_deactivate",
    "hand_list",
    "hand_status",
    "image_analyze",
    "image_generate",
    "knowledge_add_entity",
    "knowledge_add_relation",
    "knowledge_query",
    "location_get",
    "media_describe",
    "media_transcribe",
    "memory_list",
    "memory_recall",
    "memory_store",
    "music_generate",
    "notify_owner",
    "process_kill",
    "process_list",
    "process_poll",
    "process_start",
    "process_write",
    "read_artifact",
    "schedule_create",
    "schedule_delete",
    "schedule_list",
    "schedule_resume",
    "shell_exec",
    "skill_evolve_create",
    "skill_evolve_delete",
    "skill_evolve_patch",
    "skill_evolve_remove_file",
    "skill_evolve_rollback",
    "skill_evolve_update",
    "skill_evolve_write_file",
    "skill_read_file",
    "speech_to_text",
    "system_time",
    "task_claim",
    "task_complete",
    "task_list",
    "task_post",
    "task_status",
    "text_to_speech",
    "tool_load",
    "tool_search",
    "video_generate",
    "video_status",
    "web_fetch",
    "web_fetch_to_file",
    "web_search",
    "wiki_get",
    "wiki_search",
    "wiki_write",
    "workflow_cancel",
    "workflow_describe",
    "workflow_list",
    "workflow_run",
    "workflow_start",
    "workflow_status",
];

fn is_tool(word: &str) -> bool {
    TOOLS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{TOOLS, tools};

    #[test]
    fn a_tool_is_spoken_of_by_its_whole_name() {
        assert!(TOOLS.is_sorted());
        for (text, found) in [
            ("Use `web_search` first.", &["web_search"][..]),
            ("Call web_search(query), then file_read.", &["web_search", "file_read"]),
            ("**memory_store**: keep it", &["memory_store"]),
            ("`event_publish \"done\"`", &["event_publish"]),
            ("web_search/web_fetch", &["web_search", "web_fetch"]),
            ("- web_search: finds pages", &["web_search"]),
            ("Benutze web_search für Fragen.", &["web_search"]),
            ("my_web_search, web_searches, Web_Search", &[]),
            ("`file_list.txt` and ./a.file_list", &[]),
            ("{\"task_list\": []}", &[]),
            ("task_list = []", &[]),
            ("--file_list, $file_list, {file_list}, file_list-old", &[]),
            ("übernimm_web_search", &[]),
        ] {
            let words: Vec<&str> = tools(text).into_iter().map(|(word, _)| word).collect();
            assert_eq!(words, found, "{text}");
        }
    }
}
