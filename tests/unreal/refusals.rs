//! What the generator must refuse, each as the smallest header that has it; and that the same header without
//! it passes.

use std::collections::BTreeMap;

use super::generator::{Version, generate};

/// A component with these members.
fn component(members: &str) -> String {
    format!(
        "#pragma once\n#include \"Components/ActorComponent.h\"\n#include \"Sample.generated.h\"\n\
         USTRUCT(BlueprintType)\nstruct FShown\n{{\n\tGENERATED_BODY()\n\tUPROPERTY(BlueprintReadOnly)\n\tint64 Ticks = 0;\n}};\n\
         USTRUCT()\nstruct FHidden\n{{\n\tGENERATED_BODY()\n\tUPROPERTY()\n\tint64 Ticks = 0;\n}};\n\
         UCLASS()\nclass USample : public UActorComponent\n{{\n\tGENERATED_BODY()\npublic:\n{members}\n}};\n"
    )
}

fn errors(text: &str, version: Version) -> Vec<String> {
    let sources = BTreeMap::from([("Sample".to_owned(), text.to_owned())]);
    generate(&sources, version).err().unwrap_or_default()
}

fn refused(text: &str, why: &str) {
    let errors = errors(text, Version(5, 8));
    assert!(
        errors.len() == 1 && errors[0].contains(why),
        "wanted one error with {why:?}, got {errors:?}, for\n{text}"
    );
}

fn passes(text: &str) {
    let errors = errors(text, Version(5, 8));
    assert!(errors.is_empty(), "{errors:?} for\n{text}");
}

#[test]
fn what_is_right_passes() {
    passes(&component(
        "\tUFUNCTION(Server, Reliable, WithValidation)\n\tvoid ServerAsk(int64 Id, const FHidden& What);\n\
         \tUFUNCTION(BlueprintCallable, Category = \"A\")\n\tbool Ask(const FShown& What, TArray<int32>& Out) const;\n\
         \tUFUNCTION()\n\tvoid OnRep_Held();\n\tUPROPERTY(ReplicatedUsing = OnRep_Held)\n\tFHidden Held;\n\
         \tUPROPERTY()\n\tTObjectPtr<UActorComponent> Other;",
    ));
}

#[test]
fn wrong_prefixes_are_refused() {
    let good = component("");
    refused(&good.replace("USample", "ASample"), "has to begin with U");
    refused(&good.replace("USample", "Sample"), "has to begin with U");
    refused(&good.replace("UActorComponent", "AActor"), "has to begin with A");
    refused(&good.replace("FHidden", "UHidden"), "has to begin with F");
}

#[test]
fn remote_calls_that_cannot_be_are_refused() {
    refused(&component("\tUFUNCTION(Server, Reliable)\n\tbool ServerAsk(int64 Id);"), "returns nothing");
    refused(&component("\tUFUNCTION(Server)\n\tvoid ServerAsk(int64 Id);"), "either Reliable or Unreliable");
    refused(
        &component("\tUFUNCTION(Client, Reliable, Unreliable)\n\tvoid Tell();"),
        "either Reliable or Unreliable",
    );
    refused(&component("\tUFUNCTION(Client, Reliable)\n\tstatic void Tell();"), "cannot be static");
    refused(&component("\tUFUNCTION(Client, Reliable)\n\tvoid Tell(int64& Out);"), "is an output");
    refused(&component("\tUFUNCTION(Reliable)\n\tvoid Tell();"), "are for remote calls");
    refused(&component("\tUFUNCTION(WithValidation)\n\tvoid Tell();"), "is for remote calls");
}

#[test]
fn types_that_reflection_does_not_have_are_refused() {
    refused(
        &component("\tUFUNCTION(Server, Reliable)\n\tvoid Ask(size_t Id);"),
        "type size_t is not supported",
    );
    refused(
        &component("\tUFUNCTION()\n\tvoid Ask(TSharedPtr<int32> Id);"),
        "type TSharedPtr<int32> is not supported",
    );
    refused(&component("\tUFUNCTION()\n\tvoid Ask(int64* Id);"), "a pointer to int64");
    refused(&component("\tUFUNCTION()\n\tvoid Ask(TObjectPtr<UObject> Id);"), "cannot be a parameter");
    refused(&component("\tUPROPERTY()\n\tstd::string Name;"), "not supported");
}

#[test]
fn types_that_blueprints_do_not_have_are_refused() {
    refused(
        &component("\tUFUNCTION(BlueprintCallable)\n\tvoid Ask(uint64 Id);"),
        "Blueprints have no uint64",
    );
    refused(
        &component("\tUFUNCTION(BlueprintPure)\n\tFHidden Ask() const;"),
        "FHidden is not exposed to Blueprints",
    );
    refused(&component("\tUPROPERTY(BlueprintReadOnly)\n\tuint32 Id;"), "Blueprints have no uint32");
    refused(&component("private:\n\tUPROPERTY(BlueprintReadOnly)\n\tint32 Id;"), "must not be private");
    passes(&component("\tUFUNCTION()\n\tvoid Ask(uint64 Id);"));
}

#[test]
fn a_double_in_a_blueprint_before_5_0_is_refused() {
    let text = component("\tUFUNCTION(BlueprintPure)\n\tdouble Ask() const;");
    passes(&text);
    let errors = errors(&text, Version(4, 27));
    assert!(errors.len() == 1 && errors[0].contains("no double before 5.0"), "{errors:?}");
}

#[test]
fn the_generated_header_has_to_be_there_and_last() {
    let good = component("");
    refused(&good.replace("#include \"Sample.generated.h\"\n", ""), "is not included");
    refused(
        &good.replace("Sample.generated.h\"\n", "Sample.generated.h\"\n#include \"CoreMinimal.h\"\n"),
        "has to be the last",
    );
}

#[test]
fn names_that_stand_for_two_things_are_refused() {
    let held = "\tUPROPERTY()\n\tint32 Held = 0;\n";
    refused(
        &component(&format!("{held}\tUFUNCTION()\n\tvoid Ask(int32 Held);")),
        "parameter Held hides a UPROPERTY",
    );
    passes(&component(&format!("{held}\tUFUNCTION()\n\tvoid Ask(int32 NewHeld);")));
    let derived = "UCLASS()\nclass UOther : public USample\n{\n\tGENERATED_BODY()\npublic:\n\tUFUNCTION()\n\tvoid Ask(int32 Held);\n};\n";
    refused(&format!("{}{derived}", component(held)), "parameter Held hides a UPROPERTY");
    passes(&format!("{}{derived}", component("")));
    refused(
        &component("\tUFUNCTION()\n\tvoid Ask();\n\tUFUNCTION()\n\tvoid Ask(int32 Id);"),
        "a UFUNCTION cannot be overloaded",
    );
    passes(&component("\tUFUNCTION()\n\tvoid Ask();\n\tvoid Ask(int32 Id);"));
    refused(&component("").replace("FHidden", "FSample"), "have one name without their prefix");
}

#[test]
fn what_the_compiler_would_decide_is_refused() {
    let hidden =
        |condition: &str| component(&format!("#if {condition}\n\tUFUNCTION()\n\tvoid Ask();\n#endif\n"));
    refused(&hidden("!UE_BUILD_SHIPPING"), "UFUNCTION inside #if");
    refused(
        &hidden("WITH_EDITOR\n#if PLATFORM_WINDOWS").replace("#endif\n", "#endif\n#endif\n"),
        "UFUNCTION inside #if",
    );
    passes(&hidden("WITH_EDITORONLY_DATA"));
    passes(&component("#if PLATFORM_WINDOWS\n\tvoid Ask();\n#endif\n\tUFUNCTION()\n\tvoid Tell();"));
}

#[test]
fn containers_in_containers_and_wide_enumerations_are_refused() {
    refused(&component("\tUPROPERTY()\n\tTArray<TArray<int32>> All;"), "cannot hold another");
    refused(
        &component("\tUFUNCTION()\n\tvoid Ask(const TMap<int32, TArray<int32>>& All);"),
        "cannot hold another",
    );
    passes(&component("\tUPROPERTY()\n\tTMap<int32, FHidden> All;"));
    let with = |kind: &str| {
        format!("{}UENUM(BlueprintType)\nenum class EKind{kind}\n{{\n\tOne\n}};\n", component(""))
    };
    refused(&with(" : int32"), "is a uint8");
    refused(&with(""), "is a uint8");
    passes(&with(" : uint8"));
    passes(&with(" : int32").replace("UENUM(BlueprintType)", "UENUM()"));
}

#[test]
fn missing_parts_are_refused() {
    refused(&component("").replacen("\tGENERATED_BODY()\npublic", "public", 1), "has no GENERATED_BODY()");
    refused(
        &component("\tUPROPERTY(ReplicatedUsing = OnRep_Held)\n\tFHidden Held;"),
        "names OnRep_Held, which is no UFUNCTION",
    );
    refused(&component("\tUPROPERTY(BlueprintAssignable)\n\tFHidden OnIt;"), "is no dynamic delegate");
    refused(
        &component("").replace("FHidden\n{\n\tGENERATED_BODY()", "FHidden\n{"),
        "has no GENERATED_BODY()",
    );
}
