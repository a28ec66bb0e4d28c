//! Tools that exist in one skill alone.

use super::{Description, any_text, python};
use crate::JsonSchema;
use crate::rules;
use agentry_macros::document;
use agentry_text::{Invalid, UniqueBy, options, shown_text_type};

/// A tool that exists in this skill alone and is not in the registry.
#[document]
pub struct InlineTool {
    /// The tool's name. No other inline tool of the skill has it.
    #[key(example = "count_words")]
    pub name: InlineToolName,
    /// What the tool does, for people and above all for models: by this text a model decides whether to call it.
    pub description: Option<Description>,
    /// Where the tool's code comes from.
    pub source: ToolSource,
    /// The tool's code in Python. It defines a function `run(input_data)`, which is called with what goes into the tool and
    /// returns what comes out.
    pub code: PythonSource,
    /// What goes into the tool, as a JSON Schema. The older spelling `inputSchema` is read too.
    #[key(legacy("inputSchema"))]
    pub input_schema: Option<JsonSchema>,
    /// Whether the tool changes anything.
    #[key(default = false)]
    pub writes: Option<bool>,
    /// Whether what the tool does can be undone up to a checkpoint.
    #[key(default = false)]
    pub checkpointable: Option<bool>,
    /// What the tool does besides answering, in words of the author's choice. Absent means nothing. The older spelling
    /// `sideEffects` is read too.
    #[key(legacy("sideEffects"), example = ["network_call"])]
    pub side_effects: Option<Vec<SideEffect>>,
}

impl InlineTool {
    /// What the tool does besides answering; nothing where the key is absent.
    pub fn side_effects(&self) -> &[SideEffect] {
        self.side_effects.as_deref().unwrap_or_default()
    }
}

impl UniqueBy for InlineTool {
    const KEY: &'static str = "name";

    fn unique_value(&self) -> &str {
        self.name.as_str()
    }
}

any_text! {
    /// The name of a tool that exists in one skill alone. The specification takes any text; models can call what is of
    /// letters, digits, `_` and `-`.
    pub struct InlineToolName { form: "the name of a tool: any text", example: "count_words" }

    /// Something that a tool does besides answering, in words of the author's choice.
    pub struct SideEffect { form: "a side effect: any text", example: "network_call" }
}

options! {
    /// Where the code of a tool comes from.
    pub enum ToolSource {
        /// It stands in the file.
        Custom = "custom" from "specification",
    }
}

shown_text_type! {
    /// Python source that defines a function `run(input_data)`: after it has run as a module, `run` can be called with one
    /// argument, which is its parameter `input_data`.
    ///
    /// `def`, `async def` (a hint: somebody has to await it) and an assigned `lambda` define it, at the module level or in
    /// a condition, loop or `try` there. Further parameters have defaults. In a function, class, string or comment it
    /// defines nothing, and neither does a later definition that cannot be called so. An import, a decorator that changes
    /// the parameters, or any other value draws a warning: what it gives cannot be seen here. Source that Python 3 cannot
    /// read, because of its strings, brackets, indentation or colons, defines nothing.
    pub struct PythonSource {
        pattern: r"^[\s\S]*$",
        form: "Python source: any text that defines `run(input_data)`",
        example: "def run(input_data):\n    return {\"ok\": True}\n",
        beyond: "the source can be read as Python and defines `run(input_data)`",
        check: |text| match python::find(text) {
            Ok(_) => Ok(()),
            Err(fault) => Err(invalid(fault)),
        },
        remark: |text| remark(&python::find(text).ok()?),
    }
}

fn invalid(fault: python::Fault) -> Invalid {
    let rule = if fault.syntax { &rules::PYTHON_SYNTAX } else { &rules::MISSING_FUNCTION };
    let mut invalid = Invalid::new(rule, fault.message).label(fault.label).help(fault.help);
    invalid.part = fault.part;
    invalid
}

fn remark(definition: &python::Definition) -> Option<Invalid> {
    let (function, input) = (python::FUNCTION, python::INPUT);
    match definition {
        python::Definition::Function => None,
        python::Definition::Awaited(part) => Some(
            Invalid::new(&rules::ASYNC_FUNCTION, format!("`{function}` gives its result only to those who await it"))
                .label("has to be awaited")
                .help("write `def` where the runtime does not await its tools")
                .part(part.clone()),
        ),
        python::Definition::Unseen(part) => Some(
            Invalid::new(
                &rules::UNSEEN_FUNCTION,
                format!("what `{function}` is here is made elsewhere: whether it can be called as `{function}({input})` cannot be seen"),
            )
            .label("made elsewhere")
            .help(format!("define it in the code: `def {function}({input}):`"))
            .part(part.clone()),
        ),
    }
}
