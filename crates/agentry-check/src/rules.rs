//! The rules that look at a whole file, or at values that only make sense together.

agentry_text::rules! {
    /// Nothing says which kind of document a file is, or several things say different kinds.
    UNKNOWN_KIND = "unknown-kind", Error;
    /// The format of a file is not read.
    UNREAD_FORMAT = "unread-format", Error;
    /// The identifier of a document is not the name of its file or folder.
    NAME_MISMATCH = "name-mismatch", Error;
    /// A file's name has another letter case than the one that readers look for.
    FILE_NAME = "file-name", Error;
    /// A text holds characters that people do not see and programs do.
    HIDDEN_CHARACTER = "hidden-character", Warning;
    /// Some readers of the format do not know this, or refuse it.
    NOT_PORTABLE = "not-portable", Hint;
    /// A file is a template, to be filled in: it is not checked further.
    TEMPLATE = "template", Hint;
    /// A model that is paid by the call states no price of a call.
    MISSING_CALL_COST = "missing-call-cost", Warning;
    /// A model of a provider that asks for a key costs nothing.
    ZERO_PRICE = "zero-price", Hint;
    /// A model that runs on one's own machine has a price.
    LOCAL_PRICE = "local-price", Warning;
    /// What comes out of a model costs less than what goes in.
    CHEAP_OUTPUT = "cheap-output", Hint;
    /// A model can put out more than its context holds.
    OUTPUT_ABOVE_CONTEXT = "output-above-context", Warning;
    /// A provider that needs no key names a variable for one.
    UNNEEDED_KEY = "unneeded-key", Hint;
    /// Another machine is called without encryption.
    PLAIN_HTTP = "plain-http", Warning;
    /// An address to which paths are added ends with a slash.
    TRAILING_SLASH = "trailing-slash", Hint;
    /// A fallback asks a model that has been asked before.
    REPEATED_FALLBACK = "repeated-fallback", Warning;
    /// A runtime reads a key, and drops it without a word.
    DROPPED_KEY = "dropped-key", Warning;
    /// A runtime drops a key that only catalogues show.
    CATALOGUE_KEY = "catalogue-key", Hint;
    /// A default that is text is nearly a boolean.
    MISTYPED_BOOLEAN = "mistyped-boolean", Warning;
    /// A credential is put into a prompt.
    SECRET_IN_PROMPT = "secret-in-prompt", Warning;
    /// A path leads into the home folder of one person.
    HOME_PATH = "home-path", Hint;
    /// A program is fetched in whatever version is the newest.
    UNPINNED_PACKAGE = "unpinned-package", Hint;
    /// An agent is granted everything of a sort.
    WILDCARD_GRANT = "wildcard-grant", Hint;
    /// A default in a JSON Schema does not fit the schema that it is the default of.
    UNFIT_DEFAULT = "unfit-default", Warning;
    /// Nothing can match a JSON Schema, or a part of it.
    UNMATCHABLE_SCHEMA = "unmatchable-schema", Warning;
    /// An alias of a model is the id or an alias of another one.
    AMBIGUOUS_ALIAS = "ambiguous-alias", Warning;
    /// A model's stated handling of earlier thinking contradicts what the model is known to need.
    ECHO_POLICY = "echo-policy", Hint;
    /// A placeholder of a prompt or template names no parameter.
    UNKNOWN_PLACEHOLDER = "unknown-placeholder", Warning;
    /// A parameter is declared, and the prompt never uses it.
    UNUSED_PARAMETER = "unused-parameter", Warning;
    /// A step depends on a step that is not there.
    UNKNOWN_STEP = "unknown-step", Warning;
    /// A step waits for itself, directly or by way of others.
    STEP_CIRCLE = "step-circle", Warning;
    /// A prompt asks for the result of a step that its own step does not wait for.
    UNAWAITED_STEP = "unawaited-step", Warning;
    /// Two things that a placeholder can name have one name.
    SHARED_NAME = "shared-name", Warning;
    /// Two statements of a file cannot both hold.
    CONTRADICTION = "contradiction", Warning;
    /// A path starts somewhere that only its author knows.
    RELATIVE_PATH = "relative-path", Warning;
    /// A server is reached in a way that the format has, and no host offers yet.
    UNSUPPORTED_TRANSPORT = "unsupported-transport", Warning;
    /// A key that runtimes write for themselves stands in a file of an author.
    RUNTIME_KEY = "runtime-key", Hint;
    /// Something works on the machine of a developer, and production servers refuse it.
    DEVELOPMENT_ONLY = "development-only", Warning;
    /// A JSON Schema inside a document breaks the meta-schema of its draft.
    INVALID_SCHEMA = "invalid-schema", Error;
    /// A pattern of a JSON Schema is not a regular expression.
    INVALID_PATTERN = "invalid-pattern", Error;
    /// A reference in a JSON Schema leads nowhere.
    DANGLING_REFERENCE = "dangling-reference", Error;
    /// A reference in a JSON Schema leads out of the file.
    REMOTE_REFERENCE = "remote-reference", Warning;
    /// A JSON Schema states another draft than the one by which it is read.
    OTHER_DRAFT = "other-draft", Warning;
    /// A keyword of a JSON Schema is nearly one that means something.
    UNKNOWN_KEYWORD = "unknown-keyword", Hint;
    /// A folder that is named as one of a skill holds no `SKILL.md`.
    MISSING_SKILL_FILE = "missing-skill-file", Error;
    /// Two documents of one kind in a registry have one name, or one that people take for the other.
    DUPLICATE_NAME = "duplicate-name", Warning;
    /// Two files of a run define one skill.
    DUPLICATE_SKILL = "duplicate-skill", Warning;
    /// A phrase by which requests find their way is claimed twice.
    SHARED_PHRASE = "shared-phrase", Warning;
    /// An agent is named that nothing in the registry defines.
    UNKNOWN_AGENT = "unknown-agent", Warning;
    /// A skill is named that nothing defines, or that nearly has the name of one.
    UNKNOWN_SKILL = "unknown-skill", Warning;
    /// A plugin is named that nothing in the registry defines.
    UNKNOWN_PLUGIN = "unknown-plugin", Warning;
    /// An MCP server is named that nothing in the registry defines.
    UNKNOWN_SERVER = "unknown-server", Warning;
    /// A provider is named that nothing in the registry defines.
    UNKNOWN_PROVIDER = "unknown-provider", Warning;
    /// A model is named that no provider of the registry has.
    UNKNOWN_MODEL = "unknown-model", Warning;
    /// A tool is named that nothing offers.
    UNKNOWN_TOOL = "unknown-tool", Warning;
    /// A tool is allowed that the agent is not granted.
    POINTLESS_GRANT = "pointless-grant", Warning;
    /// A hand has a tool that none of its agents may call.
    UNGRANTED_TOOL = "ungranted-tool", Warning;
    /// No contract has the name that is given, or none is given.
    UNKNOWN_CONTRACT = "unknown-contract", Error;
    /// A comment for Agentry says nothing that Agentry knows, or allows a rule that there is not.
    BROKEN_ALLOWANCE = "broken-allowance", Warning;
    /// A comment allows a rule that nothing breaks there.
    UNUSED_ALLOWANCE = "unused-allowance", Warning;
    /// A comment allows a rule and does not say why.
    UNREASONED_ALLOWANCE = "unreasoned-allowance", Warning;
    /// An entry of a baseline stands for a finding that is no longer there.
    STALE_BASELINE = "stale-baseline", Warning;
    /// A file or folder that a document selects is not there.
    MISSING_FILE = "missing-file", Error;
    /// A package selects a file that usually holds credentials.
    CREDENTIAL_FILE = "credential-file", Error;
    /// A link stands where a package needs a file or folder.
    PACKAGE_LINK = "package-link", Error;
    /// A package has more or larger files than readers take.
    PACKAGE_LIMIT = "package-limit", Error;
    /// Two files of a package go to one place.
    DUPLICATE_DESTINATION = "duplicate-destination", Warning;
    /// Two files of a package have names that differ in case only.
    CASE_COLLISION = "case-collision", Warning;
    /// A folder holds more than one manifest of a package.
    SEVERAL_MANIFESTS = "several-manifests", Warning;
    /// A prompt speaks of a tool that its agent is not offered.
    UNOFFERED_TOOL = "unoffered-tool", Hint;
    /// The dashboard shows a value that no prompt of the hand speaks of.
    UNWRITTEN_METRIC = "unwritten-metric", Warning;
    /// A server needs a variable that its own file, or the hand which uses it, does not ask for.
    UNASKED_VARIABLE = "unasked-variable", Hint;
    /// A language lacks texts that others have.
    MISSING_TRANSLATION = "missing-translation", Hint;
    /// A translation belongs to a setting or role that there is not.
    STRAY_TRANSLATION = "stray-translation", Warning;
    /// A text among the translations is that of the file itself.
    UNTRANSLATED_TEXT = "untranslated-text", Hint;
    /// What a role is taught names a role that the hand does not have.
    UNKNOWN_ROLE = "unknown-role", Warning;
    /// The two files that describe one skill say different things of it.
    DIFFERING_SKILL_FILES = "differing-skill-files", Hint;
    /// Hashes are given, and a script has none.
    UNHASHED_SCRIPT = "unhashed-script", Warning;
    /// A file does not have the hash that its manifest states.
    HASH_MISMATCH = "hash-mismatch", Error;
}
