//! Slow inputs.
use agentry_diff::{Options, compare};
use serde_json::{Map, Value, json};

fn chain(length: usize, leaf: Value, link: &dyn Fn(usize) -> Value) -> Value {
    let mut definitions: Map<String, Value> = (0..length).map(|at| (format!("d{at}"), link(at + 1))).collect();
    definitions.insert(format!("d{length}"), leaf);
    json!({"$ref": "#/$defs/d0", "$defs": definitions})
}

fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let rest: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (rest[11].parse::<f64>().unwrap() + rest[12].parse::<f64>().unwrap()) / 100.0
}

fn main() {
    let only = std::env::args().nth(1);
    let next = |at: usize| json!({"$ref": format!("#/$defs/d{at}")});
    let mut cases: Vec<(String, Value, Value)> = Vec::new();
    let str_ = || json!({"type": "string"});
    let strnull = || json!({"type": ["string", "null"]});
    let links: Vec<(&str, Box<dyn Fn(usize) -> Value>)> = vec![
        ("oneOf", Box::new(move |at| json!({"oneOf": [next(at), {"allOf": [next(at), {"minLength": at}]}]}))),
        ("oneOf-key", Box::new(move |at| json!({"oneOf": [{"properties": {"a": next(at)}}, {"properties": {"b": next(at)}}]}))),
        ("oneOf-key-req", Box::new(move |at| json!({"oneOf": [{"properties": {"a": next(at)}, "required": ["a"]}, {"properties": {"b": next(at)}, "required": ["b"]}]}))),
        ("anyOf-key-req", Box::new(move |at| json!({"anyOf": [{"properties": {"a": next(at)}, "required": ["a"]}, {"properties": {"b": next(at)}, "required": ["b"]}]}))),
        ("allOf-req", Box::new(move |at| json!({"properties": {"a": next(at), "b": next(at)}, "required": ["a", "b"]}))),
        ("req-obj", Box::new(move |at| json!({"type": "object", "properties": {"a": next(at), "b": next(at)}, "required": ["a", "b"]}))),
        ("req-three", Box::new(move |at| json!({"type": "object", "properties": {"a": next(at), "b": {"anyOf": [next(at), {"type": "object", "properties": {"c": next(at)}, "required": ["c"]}]}}, "required": ["a"]}))),
        ("items", Box::new(move |at| json!({"type": "array", "items": next(at), "minItems": 2}))),
        ("contains", Box::new(move |at| json!({"type": "array", "items": next(at), "contains": {"allOf": [next(at), {"minItems": 1}]}}))),
        ("if-req", Box::new(move |at| json!({"if": {"required": [format!("k{at}")]}, "then": {"properties": {"x": next(at)}}, "else": {"properties": {"y": next(at)}, "required": ["y"]}}))),
        ("not", Box::new(move |at| json!({"not": {"properties": {"a": next(at)}, "required": ["b"]}}))),
        ("pattern", Box::new(move |at| json!({"patternProperties": {format!("^{}", (b'a' + (at % 26) as u8) as char): next(at)}, "additionalProperties": next(at), "minProperties": 1}))),
        ("unique", Box::new(move |at| json!({"type": "array", "uniqueItems": true, "items": {"anyOf": [next(at), {"type":"boolean"}]}, "minItems": 3}))),
        ("uneval", Box::new(move |at| json!({"anyOf": [{"properties": {"a": next(at)}, "required": ["a"]}, {"properties": {"b": next(at)}}], "unevaluatedProperties": false}))),
    ];
    for (name, link) in &links {
        for length in [12, 40, 100] {
            cases.push((format!("chain-{name}-{length}"), chain(length, str_(), &**link), chain(length, strnull(), &**link)));
            cases.push((format!("chain-{name}-{length}-obj"), chain(length, json!({"type": "object"}), &**link), chain(length, json!({"type": "object", "required": ["z"]}), &**link)));
        }
    }
    let objects: Vec<Value> = (0..5_000).map(|n| json!({"name": format!("s{n}"), "at": n})).collect();
    cases.push(("enum-objects".into(), json!({"enum": objects}), json!({"enum": objects[1..]})));
    cases.push(("enum-objects-halves".into(), json!({"enum": objects[..2500]}), json!({"enum": objects[2500..]})));
    let tagged = |range: std::ops::Range<usize>, t: &str| -> Vec<Value> {
        range.map(|n| json!({"type": "object", "properties": {"kind": {"const": format!("k{n}")}, "v": {"type": t}}, "required": ["kind", "v"]})).collect()
    };
    for keyword in ["anyOf", "oneOf"] {
        for count in [300, 1_000, 5_000] {
            let mut new = tagged(0..count, "integer");
            new[count / 2]["properties"]["v"]["type"] = "string".into();
            cases.push((format!("{keyword}-objects-{count}"), json!({keyword: tagged(0..count, "integer")}), json!({keyword: new})));
            cases.push((format!("{keyword}-objects-{count}-all"), json!({keyword: tagged(0..count, "integer")}), json!({keyword: tagged(0..count, "number")})));
        }
    }
    let defs = |count: usize, f: &dyn Fn(usize) -> Value| -> Value {
        let all: Map<String, Value> = (0..count).map(|n| (format!("d{n}"), f(n))).collect();
        json!({"$defs": all})
    };
    cases.push(("defs-3000".into(), defs(3000, &|n| json!({"type": "object", "properties": {"a": {"maximum": n}}})), defs(3000, &|n| json!({"type": "object", "properties": {"a": {"maximum": n + 1}}}))));
    cases.push(("defs-3000-both".into(), defs(3000, &|n| json!({"type": "object", "properties": {"a": {"maximum": n}}})), defs(3000, &|n| json!({"type": "object", "required": ["a"], "properties": {"a": {"maximum": n + 1}}}))));
    cases.push(("defs-10000-both".into(), defs(10000, &|n| json!({"type": "object", "properties": {"a": {"maximum": n}}})), defs(10000, &|n| json!({"type": "object", "required": ["a"], "properties": {"a": {"maximum": n + 1}}}))));
    cases.push(("defs-linked".into(), defs(3000, &|n| json!({"type": "object", "properties": {"a": {"maximum": n}, "b": {"$ref": format!("#/$defs/d{}", (n + 1) % 3000)}}})), defs(3000, &|n| json!({"type": "object", "properties": {"a": {"maximum": n + 1}, "b": {"$ref": format!("#/$defs/d{}", (n + 1) % 3000)}}}))));
    let mut rooted = |a: usize| { let mut d = defs(3000, &|n| json!({"type": "object", "properties": {"a": {"maximum": n + a}, "b": {"$ref": format!("#/$defs/d{}", (n + 1) % 3000)}}})); d["$ref"] = "#/$defs/d0".into(); d };
    cases.push(("defs-linked-root".into(), rooted(0), rooted(1)));
    let props = |count: usize, f: &dyn Fn(usize) -> Value| -> Value {
        let all: Map<String, Value> = (0..count).map(|n| (format!("p{n}"), f(n))).collect();
        json!({"type": "object", "properties": all, "additionalProperties": false})
    };
    for count in [5_000, 20_000] {
        cases.push((format!("props-{count}-one"), props(count, &|_| json!({"type": "string"})), props(count, &|n| json!({"type": if n == 70 { "integer" } else { "string" }}))));
        cases.push((format!("props-{count}-all"), props(count, &|_| json!({"type": "integer"})), props(count, &|_| json!({"type": "number"}))));
        cases.push((format!("props-{count}-all-unlike"), props(count, &|n| json!({"maximum": n})), props(count, &|n| json!({"maximum": n + 1}))));
        cases.push((format!("props-{count}-none"), props(count, &|n| json!({"maximum": n})), { let mut v = props(count, &|n| json!({"maximum": n})); v["description"] = "x".into(); v }));
        let mut renamed = props(count, &|n| json!({"maximum": n})); renamed["properties"].as_object_mut().unwrap().shift_remove("p9");
        cases.push((format!("props-{count}-less"), props(count, &|n| json!({"maximum": n})), renamed));
    }
    let req = |count: usize| -> Vec<Value> { (0..count).map(|n| format!("k{n}").into()).collect() };
    for count in [5_000, 20_000] {
        let all = req(count);
        cases.push((format!("required-{count}-less"), json!({"required": all}), json!({"required": all[1..]})));
        cases.push((format!("required-{count}-none"), json!({"required": all}), json!({"type": "object"})));
        cases.push((format!("required-{count}-halves"), json!({"required": all[..count / 2]}), json!({"required": all[count / 2..]})));
        cases.push((format!("anyOf-required-{count}"), json!({"anyOf": all.iter().map(|k| json!({"required": [k]})).collect::<Vec<_>>()}), json!({"anyOf": all[1..].iter().map(|k| json!({"required": [k]})).collect::<Vec<_>>()})));
        cases.push((format!("oneOf-required-{count}"), json!({"oneOf": all[..count/20].iter().map(|k| json!({"required": [k]})).collect::<Vec<_>>()}), json!({"oneOf": all[1..count/20].iter().map(|k| json!({"required": [k]})).collect::<Vec<_>>()})));
        let deps: Map<String, Value> = (0..count).map(|n| (format!("k{n}"), json!([format!("k{}", n + 1)]))).collect();
        cases.push((format!("dependent-{count}"), json!({"dependentRequired": deps}), json!({"dependentRequired": deps, "required": ["k0"]})));
    }
    for count in [50_000, 200_000] {
        let texts: Vec<Value> = (0..count).map(|n| format!("s{n}").into()).collect();
        cases.push((format!("texts-{count}-halves"), json!({"enum": texts[..count / 2]}), json!({"enum": texts[count / 2..]})));
        cases.push((format!("texts-{count}-less"), json!({"enum": texts}), json!({"enum": texts[1..]})));
        cases.push((format!("texts-{count}-open"), json!({"type": "string", "not": {"enum": texts}}), json!({"type": "string", "not": {"enum": texts}, "pattern": "^a"})));
        let numbers: Vec<Value> = (0..count).map(Value::from).collect();
        cases.push((format!("numbers-{count}-halves"), json!({"enum": numbers[..count / 2]}), json!({"enum": numbers[count / 2..]})));
        cases.push((format!("numbers-{count}-not"), json!({"type": "integer", "minimum": 0, "maximum": count}), json!({"not": {"enum": numbers}})));
    }
    for count in [6, 9, 14] {
        let pats: Vec<Value> = (0..count).map(|at| json!({"patternProperties": {format!("^k{at}"): {"type": "integer"}}, "required": [format!("k{at}")]})).collect();
        cases.push((format!("uneval-patterns-{count}"), json!({"anyOf": pats, "unevaluatedProperties": false}), json!({"anyOf": pats[1..], "unevaluatedProperties": false})));
        cases.push((format!("uneval-patterns-{count}-open"), json!({"anyOf": pats, "unevaluatedProperties": false}), json!({"type": "object", "patternProperties": {"^k": {"type": "integer"}}, "additionalProperties": false})));
        let its: Vec<Value> = (0..count).map(|at| json!({"contains": {"const": at}})).collect();
        cases.push((format!("uneval-items-{count}"), json!({"anyOf": its, "unevaluatedItems": false}), json!({"anyOf": its[1..], "unevaluatedItems": false})));
        let cov: Vec<Value> = (0..count).map(|at| json!({"if": {"patternProperties": {format!("^k{at}"): {"type": "integer"}}}, "then": {"properties": {format!("x{at}"): true}}})).collect();
        cases.push((format!("uneval-if-{count}"), json!({"allOf": cov, "unevaluatedProperties": false}), json!({"allOf": cov[1..], "unevaluatedProperties": false})));
    }
    for count in [10, 11, 30] {
        let pp: Map<String, Value> = (0..count).map(|at| (format!("^[a-z]*k{at}"), json!({"maximum": at}))).collect();
        let qq: Map<String, Value> = (0..count).map(|at| (format!("^[a-z]*k{at}"), json!({"maximum": at + 1}))).collect();
        cases.push((format!("patternProperties-{count}"), json!({"patternProperties": pp, "additionalProperties": false}), json!({"patternProperties": qq, "additionalProperties": false})));
    }
    for count in [3_000, 10_000] {
        let ids = |leaf: i64| -> Value {
            let all: Map<String, Value> = (0..count).map(|n| (format!("d{n}"), json!({"$id": format!("https://schemas.example/{n}"), "type": "object", "properties": {"v": {"maximum": leaf}, "n": {"$ref": format!("https://schemas.example/{}", (n + 1) % count)}}}))).collect();
            json!({"$id": "https://schemas.example/root", "$ref": "https://schemas.example/0", "$defs": all})
        };
        cases.push((format!("ids-{count}"), ids(1), ids(2)));
        let anchors = |leaf: i64| -> Value {
            let all: Map<String, Value> = (0..count).map(|n| (format!("d{n}"), json!({"$anchor": format!("a{n}"), "type": "object", "properties": {"v": {"maximum": leaf}, "n": {"$ref": format!("#a{}", (n + 1) % count)}}}))).collect();
            json!({"$id": "https://schemas.example/root", "$ref": "#a0", "$defs": all})
        };
        cases.push((format!("anchors-{count}"), anchors(1), anchors(2)));
    }
    // What the judge may take long for.
    cases.push(("judge-unique".into(), json!({"type": "array", "minItems": 300, "uniqueItems": true}), json!({"type": "array", "maxItems": 2})));
    cases.push(("judge-backtrack".into(), json!({"type": "string", "minLength": 40, "pattern": "^(?=(a+)+b)|a"}), json!({"type": "string", "pattern": "^(a|a)*(?=b)c\\1"})));
    cases.push(("judge-items-enum".into(), json!({"type": "array", "minItems": 290, "items": {"enum": objects}}), json!({"type": "array", "maxItems": 2, "items": {"enum": objects}})));
    cases.push(("judge-oneOf-items".into(), json!({"type": "array", "minItems": 290, "items": {"oneOf": tagged(0..300, "integer")}}), json!({"type": "array", "maxItems": 2, "items": {"oneOf": tagged(0..300, "integer")}})));
    let wide: Vec<Value> = (0..2_000).map(|n| json!({"pattern": format!("^[a-z]{{1,{}}}x?$", n % 60 + 1)})).collect();
    cases.push(("many-patterns".into(), json!({"anyOf": wide}), json!({"anyOf": wide[1..]})));
    cases.push(("all-patterns".into(), json!({"allOf": wide[..60]}), json!({"allOf": wide[1..61], "type": "string"})));
    let coins: Vec<Value> = (0..60).map(|at| json!({"oneOf": [{"required": [format!("a{at}")]}, {"required": [format!("b{at}")]}]})).collect();
    cases.push(("coins".into(), json!({"allOf": coins}), json!({"not": {"allOf": coins}})));
    let big: Vec<Value> = (0..400).map(|at| json!({"if": {"properties": {format!("a{at}"): {"const": at}}}, "then": {"required": [format!("b{at}")]}, "else": {"required": [format!("c{at}")]}})).collect();
    cases.push(("ifs-400".into(), json!({"allOf": big}), json!({"allOf": big, "maxProperties": 500})));
    cases.push(("ifs-400-less".into(), json!({"allOf": big}), json!({"allOf": big[..399]})));
    let clique: Vec<Value> = (0..40).flat_map(|a| (0..a).map(move |b| json!({"not": {"required": [format!("n{a}"), format!("n{b}")]}}))).collect();
    cases.push(("clique".into(), json!({"allOf": clique, "minProperties": 20, "propertyNames": {"pattern": "^n[0-9]+$"}}), json!({"maxProperties": 19})));
    let sat: Vec<Value> = (0..200).map(|c| { let v = |k: usize| format!("v{}", (c * 7919 + k * 104_729 + c * c * 31) % 45); let lit = |k: usize| if (c * 31 + k * 17 + c / 3) % 2 == 0 { json!({"required": [v(k)]}) } else { json!({"not": {"required": [v(k)]}}) }; json!({"anyOf": [lit(1), lit(2), lit(3)]}) }).collect();
    cases.push(("sat".into(), json!({"type": "object", "allOf": sat}), json!(false)));
    for depth in [200, 350] {
        let nest = |leaf: Value| (0..depth).fold(leaf, |inner, at| if at % 2 == 0 { json!({"properties": {"a": inner}, "required": ["a"]}) } else { json!({"items": inner, "minItems": 1}) });
        cases.push((format!("nest-{depth}"), nest(json!({"type": "string"})), nest(json!({"type": "integer"}))));
    }
    let items: Vec<Value> = (0..5_000).map(|n| json!({"maximum": n})).collect();
    cases.push(("tuple-5000".into(), json!({"prefixItems": items}), json!({"prefixItems": items[1..]})));
    let refs: Vec<Value> = (0..3_000).map(|n| json!({"$ref": format!("#/$defs/d{n}")})).collect();
    let refdefs = |a: usize| -> Map<String, Value> { (0..3_000).map(|n| (format!("d{n}"), json!({"type": "object", "properties": {format!("k{n}"): {"maximum": a}}}))).collect() };
    cases.push(("allOf-refs".into(), json!({"allOf": refs, "$defs": refdefs(1)}), json!({"allOf": refs, "$defs": refdefs(2)})));
    cases.push(("anyOf-refs".into(), json!({"anyOf": refs, "$defs": refdefs(1)}), json!({"anyOf": refs, "$defs": refdefs(2)})));

    let mut total = 0.0;
    for (name, old, new) in cases {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) { continue; }
        let started = cpu();
        let found = compare(&old, &new, &Options::default());
        let took = cpu() - started;
        total += took;
        if took > 1.0 || only.is_some() {
            println!("{took:7.2}s {name}: {} {} {} changes", found.backward.name(), found.forward.name(), found.changes.len());
        }
    }
    println!("total {total:.1}");
}
