//! The expansion of `#[document]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, Field, Fields, GenericArgument, Ident, ItemStruct, LitStr, Meta, PathArguments, Result,
    Token, Type, parse2,
};

/// What a field is to its table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A key that must be there.
    Required,
    /// A key that may be absent.
    Optional,
    /// A key whose absence means its default, and that is left out when it has it: the two are one value.
    Omitted,
    /// Several keys of the same table.
    Group,
    /// Keeps what no other field takes.
    Extra,
}

/// One field, as the struct states it.
struct Key {
    ident: Ident,
    /// The type of the value: `T` of an `Option<T>`, else the field's own.
    value: Type,
    role: Role,
    /// Only public fields have setters: the others are under a condition.
    public: bool,
    name: String,
    legacy: Vec<String>,
    foreign: Vec<String>,
    default: Option<Expr>,
    example: Option<Expr>,
}

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options = Options::parse(options)?;
    let mut item: ItemStruct = parse2(item)?;
    let Fields::Named(fields) = &mut item.fields else {
        return Err(syn::Error::new_spanned(&item.ident, "`#[document]` needs a struct with named fields"));
    };
    let mut keys = Vec::new();
    for field in &mut fields.named {
        keys.push(Key::take(field, &item.ident)?);
    }
    let closed = !options.open && !keys.iter().any(|key| key.role == Role::Extra);
    if closed {
        fields.named.push(
            Field::parse_named
                .parse2(quote! {
                    #[serde(flatten, skip_serializing_if = "::agentry_text::UnlistedKeys::is_empty")]
                    #[cfg_attr(feature = "schema", schemars(skip))]
                    unlisted_keys: ::agentry_text::UnlistedKeys
                })
                .expect("a fixed field"),
        );
    }
    let name = &item.ident;
    if closed {
        item.attrs.push(syn::parse_quote!(#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]));
    }
    if !options.conditions.is_empty() {
        item.attrs.push(
            syn::parse_quote!(#[cfg_attr(feature = "schema", schemars(transform = #name::state_conditions))]),
        );
    }
    let others = match (closed, options.any_keys, &options.passed_on) {
        (true, ..) => quote!(Closed),
        (false, true, _) => quote!(Any),
        (false, false, Some(fate)) => quote!(PassedOn(#fate)),
        (false, false, None) => quote!(Unknown),
    };
    let reader = reader(name, &keys, &others, closed, &options);
    let constructors = constructors(name, &keys, closed, &options);
    let accessors = accessors(&keys, closed);
    let default = default(name, &keys, &options);
    let description = description(&item.attrs);
    Ok(quote! {
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
        #[cfg_attr(feature = "schema", derive(::schemars::JsonSchema))]
        #[non_exhaustive]
        #item
        #reader
        impl #name {
            #constructors
            #accessors
        }
        #default
        impl ::agentry_text::Described for #name {
            const DESCRIPTION: &'static str = #description;
        }
    })
}

/// What `#[document(...)]` says of the struct.
#[derive(Default)]
struct Options {
    no_new: bool,
    open: bool,
    any_keys: bool,
    passed_on: Option<Expr>,
    conditions: Vec<Expr>,
    check: Option<Expr>,
    remark: Option<Expr>,
    gate: Option<Expr>,
}

impl Options {
    fn parse(tokens: TokenStream) -> Result<Self> {
        let mut options = Self::default();
        for meta in Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens)? {
            match meta {
                Meta::Path(path) if path.is_ident("no_new") => options.no_new = true,
                Meta::Path(path) if path.is_ident("open") => options.open = true,
                Meta::Path(path) if path.is_ident("any_keys") => options.any_keys = true,
                Meta::NameValue(pair) if pair.path.is_ident("passed_on") => {
                    options.passed_on = Some(pair.value);
                }
                Meta::List(list) if list.path.is_ident("conditions") => {
                    options.conditions = list
                        .parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?
                        .into_iter()
                        .collect();
                }
                Meta::NameValue(pair) if pair.path.is_ident("check") => options.check = Some(pair.value),
                Meta::NameValue(pair) if pair.path.is_ident("remark") => options.remark = Some(pair.value),
                Meta::NameValue(pair) if pair.path.is_ident("gate") => options.gate = Some(pair.value),
                meta => {
                    return Err(syn::Error::new_spanned(
                        meta,
                        "`#[document]` knows `no_new`, `open`, `any_keys`, `passed_on`, `conditions`, `check`, `remark` and `gate`",
                    ));
                }
            }
        }
        Ok(options)
    }
}

impl Key {
    /// Reads a field and rewrites its attributes to those that serde and schemars understand.
    fn take(field: &mut Field, table: &Ident) -> Result<Self> {
        let ident = field.ident.clone().expect("named fields only");
        let plain = ident.to_string().trim_start_matches("r#").to_owned();
        let inner = option_of(&field.ty);
        let mut key = Self {
            role: if last_segment(&field.ty).is_some_and(|segment| segment == "Extra") {
                Role::Extra
            } else if is_flattened(&field.attrs) {
                Role::Group
            } else if inner.is_some() {
                Role::Optional
            } else {
                Role::Required
            },
            value: inner.unwrap_or_else(|| field.ty.clone()),
            public: matches!(field.vis, syn::Visibility::Public(_)),
            name: plain,
            ident,
            legacy: Vec::new(),
            foreign: Vec::new(),
            default: None,
            example: None,
        };
        let mut attributes = Vec::new();
        for attribute in field.attrs.drain(..) {
            if attribute.path().is_ident("key") {
                key.option(&attribute)?;
            } else {
                attributes.push(attribute);
            }
        }
        field.attrs = attributes;
        let renamed = key.ident.to_string().trim_start_matches("r#") != key.name;
        if renamed {
            let name = &key.name;
            field.attrs.push(syn::parse_quote!(#[serde(rename = #name)]));
        }
        if key.role == Role::Optional {
            let value = &key.value;
            field.attrs.push(syn::parse_quote!(#[serde(default, skip_serializing_if = "Option::is_none")]));
            let with = quote!(#value).to_string();
            field.attrs.push(syn::parse_quote!(#[cfg_attr(feature = "schema", schemars(with = #with))]));
        } else if key.role == Role::Omitted {
            if key.default.is_none() {
                return Err(syn::Error::new_spanned(&field.ty, "what is omitted needs a `default`"));
            }
            let plain = key.plain();
            let is_default = format!("{table}::is_default_{plain}");
            let default = format!("{table}::default_{plain}");
            field.attrs.push(syn::parse_quote!(#[serde(skip_serializing_if = #is_default)]));
            field
                .attrs
                .push(syn::parse_quote!(#[cfg_attr(feature = "schema", schemars(default = #default))]));
        } else if key.default.is_some() {
            return Err(syn::Error::new_spanned(&field.ty, "a key with a default is an `Option`, or `omit`"));
        }
        for (keyword, expression) in [("default", &key.default), ("examples", &key.example)] {
            if let Some(expression) = expression {
                let value = if keyword == "examples" { quote!([#expression]) } else { quote!(#expression) };
                field.attrs.push(syn::parse_quote!(
                    #[cfg_attr(feature = "schema", schemars(extend(#keyword = #value)))]
                ));
            }
        }
        Ok(key)
    }

    /// The variable that holds what was read. Prefixed, so that no key's name can hide the reader's own
    /// variables: a key may well be called `fields`.
    fn local(&self) -> Ident {
        format_ident!("key_{}", self.plain())
    }

    /// The name of the field, also where it is a word of Rust.
    fn plain(&self) -> String {
        self.ident.to_string().trim_start_matches("r#").to_owned()
    }

    /// `T` of a field that is an `Option<Nullable<T>>`.
    fn nullable(&self) -> Option<Type> {
        (self.role == Role::Optional).then(|| argument_of(&self.value, "Nullable")).flatten()
    }

    /// Reads the key into its variable.
    fn read(&self) -> TokenStream {
        let Self { value, name, legacy, .. } = self;
        let local = self.local();
        match self.role {
            Role::Extra => quote!(),
            Role::Group => {
                quote!(let #local = <#value as ::agentry_text::ReadKeys>::read_keys(fields, reader);)
            }
            Role::Optional => quote!(let #local = fields.optional::<#value>(reader, #name, &[#(#legacy),*]);),
            Role::Omitted => {
                let default = format_ident!("default_{}", self.plain());
                quote! {
                    let #local = fields
                        .optional::<#value>(reader, #name, &[#(#legacy),*])
                        .map(|value| value.unwrap_or_else(Self::#default));
                }
            }
            Role::Required => quote!(let #local = fields.required::<#value>(reader, #name, &[#(#legacy),*]);),
        }
    }

    fn option(&mut self, attribute: &Attribute) -> Result<()> {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename") {
                self.name = meta.value()?.parse::<LitStr>()?.value();
            } else if meta.path.is_ident("legacy") || meta.path.is_ident("foreign") {
                let list = if meta.path.is_ident("legacy") { &mut self.legacy } else { &mut self.foreign };
                let names;
                syn::parenthesized!(names in meta.input);
                for name in Punctuated::<LitStr, Token![,]>::parse_terminated(&names)? {
                    list.push(name.value());
                }
            } else if meta.path.is_ident("default") {
                self.default = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("example") {
                self.example = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("omit") && self.role == Role::Required {
                self.role = Role::Omitted;
            } else {
                return Err(meta.error(
                    "`#[key]` knows `rename`, `legacy`, `foreign`, `default`, `omit` (unless it is an `Option`) and `example`",
                ));
            }
            Ok(())
        })
    }
}

/// The documentation of the struct as prose: lines joined, one empty line between paragraphs.
fn description(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else { continue };
        let Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = &pair.value else { continue };
        if !pair.path.is_ident("doc") {
            continue;
        }
        for line in line.value().lines().map(str::trim).chain(line.value().is_empty().then_some("")) {
            match line {
                "" if text.is_empty() || text.ends_with("\n\n") => {}
                "" => text.push_str("\n\n"),
                line => {
                    if !text.is_empty() && !text.ends_with('\n') {
                        text.push(' ');
                    }
                    text.push_str(line);
                }
            }
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// `T` of an `Option<T>`.
fn option_of(ty: &Type) -> Option<Type> {
    argument_of(ty, "Option")
}

/// `T` of a `Name<T>`.
fn argument_of(ty: &Type, name: &str) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last()?;
    if segment.ident != name {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}

fn last_segment(ty: &Type) -> Option<&Ident> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|segment| &segment.ident)
}

fn is_flattened(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("serde")
            && attribute
                .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                .is_ok_and(|metas| metas.iter().any(|meta| meta.path().is_ident("flatten")))
    })
}

fn reader(name: &Ident, keys: &[Key], others: &TokenStream, closed: bool, options: &Options) -> TokenStream {
    let known = keys.iter().filter(|key| key.role != Role::Extra).map(|key| {
        let Key { value, name, legacy, foreign, role, .. } = key;
        if *role == Role::Group {
            quote!(<#value as ::agentry_text::ReadKeys>::keys(keys);)
        } else {
            let required = *role == Role::Required;
            let foreign = (!foreign.is_empty()).then(|| quote!(.foreign(&[#(#foreign),*])));
            quote!(keys.push(::agentry_text::Key::new::<#value>(#name, &[#(#legacy),*], #required)#foreign);)
        }
    });
    let reads = keys.iter().map(Key::read);
    let fields = keys.iter().map(|key| {
        let (ident, local) = (&key.ident, key.local());
        if key.role == Role::Extra { quote!(#ident: fields.extra()) } else { quote!(#ident: #local?) }
    });
    let unlisted = closed.then(|| quote!(unlisted_keys: fields.unlisted_keys(reader),));
    let conditions = &options.conditions;
    let stated = (!conditions.is_empty()).then(|| {
        quote! {
            for condition in Self::CONDITIONS {
                held &= condition.check(fields, reader);
            }
        }
    });
    let beyond = options.check.iter().map(|check| quote!(held &= #check(fields, reader);));
    let check = (stated.is_some() || options.check.is_some()).then(|| {
        quote! {
            let mut held = true;
            #stated
            #(#beyond)*
            if !held {
                return ::std::option::Option::None;
            }
        }
    });
    // A table without keys reads nothing.
    let unused = keys.is_empty().then(|| quote!(let _ = (&fields, &reader);));
    let remark = options.remark.iter().map(|remark| quote!(#remark(fields, reader);));
    let gate = options.gate.iter().map(|gate| {
        quote! {
            if !#gate(node, reader) {
                return ::std::option::Option::None;
            }
        }
    });
    let statement = (!conditions.is_empty()).then(|| statement(name, conditions));
    quote! {
        #statement
        impl ::agentry_text::ReadKeys for #name {
            fn keys(keys: &mut ::std::vec::Vec<::agentry_text::Key>) {
                #(#known)*
            }
            fn read_keys<'t>(
                fields: &mut ::agentry_text::Fields<'t>,
                reader: &mut ::agentry_text::Reader<'t>,
            ) -> ::std::option::Option<Self> {
                #unused
                #(#reads)*
                #(#remark)*
                #check
                ::std::option::Option::Some(Self { #(#fields,)* #unlisted })
            }
        }
        impl ::agentry_text::Read for #name {
            fn read<'t>(
                node: &'t ::agentry_text::Node,
                reader: &mut ::agentry_text::Reader<'t>,
            ) -> ::std::option::Option<Self> {
                #(#gate)*
                ::agentry_text::read_table_as(node, reader, Self::table_shape(), &[])
            }
            fn shape() -> ::std::option::Option<&'static ::agentry_text::Shape> {
                ::std::option::Option::Some(Self::table_shape())
            }
        }
        impl #name {
            /// The keys of this table.
            fn table_shape() -> &'static ::agentry_text::Shape {
                static SHAPE: ::std::sync::LazyLock<::agentry_text::Shape> =
                    ::std::sync::LazyLock::new(|| ::agentry_text::Shape::of::<#name>(::agentry_text::Others::#others));
                &SHAPE
            }
        }
        ::agentry_text::deserialize_by_reading!(#name);
    }
}

/// The conditions of a struct, for its reader and its schema.
fn statement(name: &Ident, conditions: &[Expr]) -> TokenStream {
    quote! {
        impl #name {
            /// The relations between keys that hold in every value.
            const CONDITIONS: &'static [::agentry_text::Condition] = &[#(#conditions),*];

            #[cfg(feature = "schema")]
            fn state_conditions(schema: &mut ::schemars::Schema) {
                for condition in Self::CONDITIONS {
                    condition.state(schema);
                }
            }
        }
    }
}

fn constructors(name: &Ident, keys: &[Key], closed: bool, options: &Options) -> TokenStream {
    let mut out = TokenStream::new();
    let required: Vec<&Key> =
        keys.iter().filter(|key| matches!(key.role, Role::Required | Role::Group)).collect();
    if !options.no_new {
        let parameters = required.iter().map(|Key { ident, value, .. }| quote!(#ident: #value));
        let unlisted = closed.then(|| quote!(unlisted_keys: ::std::default::Default::default(),));
        let fields = keys.iter().map(|key| {
            let ident = &key.ident;
            if matches!(key.role, Role::Optional | Role::Extra) {
                quote!(#ident: ::std::default::Default::default())
            } else if key.role == Role::Omitted {
                let default = format_ident!("default_{}", key.plain());
                quote!(#ident: Self::#default())
            } else {
                quote!(#ident)
            }
        });
        let many = (required.len() > 7).then(
            || quote!(#[expect(clippy::too_many_arguments, reason = "one argument for each required key")]),
        );
        let doc = format!("A `{name}` with its required keys; every other key is absent.");
        out.extend(quote! {
            #[doc = #doc]
            #many
            #[must_use]
            pub fn new(#(#parameters),*) -> Self {
                Self { #(#fields,)* #unlisted }
            }
        });
    }
    for key in keys.iter().filter(|key| matches!(key.role, Role::Optional | Role::Omitted) && key.public) {
        let Key { ident, value, name, role, .. } = key;
        let setter = format_ident!("with_{}", key.plain());
        let doc = format!("The same with `{name}` set.");
        let (parameter, argument) = match key.nullable() {
            Some(_) => (quote!(impl ::std::convert::Into<#value>), quote!(value.into())),
            None => (quote!(#value), quote!(value)),
        };
        let argument =
            if *role == Role::Omitted { argument } else { quote!(::std::option::Option::Some(#argument)) };
        out.extend(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #setter(mut self, value: #parameter) -> Self {
                self.#ident = #argument;
                self
            }
        });
    }
    out
}

/// `Default` for a table that needs no key.
fn default(name: &Ident, keys: &[Key], options: &Options) -> TokenStream {
    if options.no_new || keys.iter().any(|key| matches!(key.role, Role::Required | Role::Group)) {
        return TokenStream::new();
    }
    quote! {
        impl ::std::default::Default for #name {
            fn default() -> Self {
                Self::new()
            }
        }
    }
}

fn accessors(keys: &[Key], closed: bool) -> TokenStream {
    let accessors = keys.iter().filter_map(|key| {
        let Key { ident, value, name, default, .. } = key;
        if key.role == Role::Omitted {
            let (default_of, is_default) =
                (format_ident!("default_{}", key.plain()), format_ident!("is_default_{}", key.plain()));
            return Some(quote! {
                fn #default_of() -> #value {
                    #default
                }

                fn #is_default(value: &#value) -> bool {
                    *value == Self::#default_of()
                }
            });
        }
        if let Some(inner) = key.nullable() {
            let doc = format!("The value of `{name}`; None where it is absent or null.");
            return Some(quote! {
                #[doc = #doc]
                #[must_use]
                pub fn #ident(&self) -> ::std::option::Option<&#inner> {
                    self.#ident.as_ref().and_then(::agentry_text::Nullable::value)
                }
            });
        }
        let default = default.as_ref()?;
        let doc = format!("`{name}` as written, or its default.");
        Some(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #ident(&self) -> #value {
                self.#ident.clone().unwrap_or(#default)
            }
        })
    });
    let unlisted = closed.then(|| {
        quote! {
            /// The keys of this table that this version does not know. Only tolerant reading gives any.
            #[must_use]
            pub const fn unlisted_keys(&self) -> &::agentry_text::UnlistedKeys {
                &self.unlisted_keys
            }
        }
    });
    quote!(#(#accessors)* #unlisted)
}
