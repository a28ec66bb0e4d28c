//! The rules that the types of this crate state themselves, beyond those of reading.

agentry_text::rules! {
    /// An identifier is written in a way that is read, and not as the rule has it.
    UNUSUAL_NAME = "unusual-name", Hint;
    /// A secret's value stands in the file.
    LITERAL_SECRET = "literal-secret", Warning;
    /// A list is explicitly empty, and readers disagree about what that means.
    EMPTY_LIST = "empty-list", Warning;
    /// Runtimes change the value when they read it.
    CLAMPED_VALUE = "clamped-value", Warning;
    /// The value works and costs more than it seems.
    COSTLY_VALUE = "costly-value", Hint;
    /// A default does not fit the type or the options of what it is the default of.
    DEFAULT_MISMATCH = "default-mismatch", Error;
    /// An example does not fit the type or the options of what it is an example of.
    EXAMPLE_MISMATCH = "example-mismatch", Error;
    /// A key stands beside others that make it meaningless.
    POINTLESS_KEY = "pointless-key", Warning;
    /// A remote transport names no address.
    TRANSPORT_WITHOUT_URL = "transport-without-url", Warning;
    /// A text that is kept as written does not have the form that gives it a meaning.
    UNREADABLE_VALUE = "unreadable-value", Warning;
    /// A value is no text where text is meant, and is kept as it is.
    NON_TEXT_VALUE = "non-text-value", Warning;
    /// A range ends before it begins.
    EMPTY_RANGE = "empty-range", Error;
    /// A number is legal where it stands, and makes no sense as what it should mean.
    UNLIKELY_NUMBER = "unlikely-number", Warning;
    /// Skills include each other in a circle.
    INCLUDE_CIRCLE = "include-circle", Error;
    /// A path leads out of the folder of its file.
    OUTSIDE_PATH = "outside-path", Warning;
    /// The code of a tool does not define the function that is called.
    MISSING_FUNCTION = "missing-function", Error;
    /// Python cannot read the code of a tool.
    PYTHON_SYNTAX = "python-syntax", Error;
    /// The function that is called is made where it cannot be seen.
    UNSEEN_FUNCTION = "unseen-function", Warning;
    /// The function that is called has to be awaited.
    ASYNC_FUNCTION = "async-function", Hint;
    /// A call does not say what it is about.
    MISSING_SELECTOR = "missing-selector", Warning;
    /// A path is legal here, and another path or none on other systems.
    UNPORTABLE_PATH = "unportable-path", Warning;
    /// A file is written by a newer version of its format than is read.
    NEWER_VERSION = "newer-version", Error;
    /// The id that one host gave to something stands where its name belongs.
    RESOURCE_ID = "resource-id", Warning;
}
