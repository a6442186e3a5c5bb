//! `engine_api/symbols.tsv` names every symbol of Unreal that the sources of the plugins and of the sample use, so that each can be checked against a public page before a new version of the
//! engine is supported.
//!
//! A symbol counts as the engine's if it is spelled as the engine spells its own (`UWorld`, `GetNetMode`,
//! `UE_LOG`, `NM_Client`) and the plugin does not declare it. What is overridden counts although it is
//! declared. Reflection specifiers and included files do not count: Unreal's own tools refuse wrong ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use self::listed::Listed;
use self::source::{Source, declared};
use self::used::used;

mod listed;
mod oldest;
mod reflected;
mod source;
mod used;

const LIST: &str = "tests/unreal/engine_api/symbols.tsv";
const SOURCES: [&str; 3] =
    ["unreal_plugin/NetClock/Source", "unreal_plugin/NetClockGAS/Source", "unreal_plugin/Sample/Source"];

#[test]
fn every_engine_symbol_that_is_used_is_listed() {
    let listed = Listed::parse(&read(Path::new(LIST)));
    let files: Vec<Vec<PathBuf>> = SOURCES.iter().map(|dir| cpp_files(Path::new(dir))).collect();
    assert!(files.iter().all(|found| found.len() > 4), "too few sources below {SOURCES:?}");
    let sources: Vec<(PathBuf, Source)> =
        files.concat().into_iter().map(|path| (path.clone(), Source::new(&read(&path)))).collect();
    let missing = missing(sources.iter().map(|(path, source)| (path.as_path(), source)), &listed);
    let lines: Vec<String> = missing.iter().map(|(symbol, place)| format!("  {symbol}  ({place})")).collect();
    assert!(
        lines.is_empty(),
        "{LIST} has no row for these; add each with its declaration, versions and the public page it was checked \
         on:\n{}",
        lines.join("\n")
    );
}

#[test]
fn every_row_says_what_holds_and_where_that_stands() {
    let text = read(Path::new(LIST));
    let listed = Listed::parse(&text);
    assert!(listed.rows.len() > 50, "only {} rows were found", listed.rows.len());
    let plugins = text.lines().filter_map(|line| line.strip_prefix('@')?.split('\t').next());
    let plugins: Vec<String> = plugins.map(|name| format!("{name}:")).collect();
    for row in &listed.rows {
        assert!(row.symbols.iter().all(|symbol| !symbol.is_empty()), "{}: no symbol", row.line);
        assert!(!row.versions.is_empty(), "{}: no versions", row.line);
        let mut marks = ["epic:", "https://", "unverified", "as above"].into_iter();
        let stands = marks.any(|mark| row.checked.contains(mark))
            || plugins.iter().any(|name| row.checked.contains(name.as_str()));
        assert!(stands, "{}: neither a page nor the word \"unverified\"", row.line);
    }
    let mut seen = BTreeSet::new();
    for symbol in listed.rows.iter().flat_map(|row| &row.symbols) {
        assert!(seen.insert(symbol), "{symbol} is listed twice");
    }
    // The engine's source is licensed, and no place to check anything.
    assert!(!text.to_lowercase().contains("github.com/epicgames"), "pages only, not the engine's source");
}

#[test]
fn finds_what_is_missing() {
    let header = r#"
        // A comment may name FVector, and a string "UTexture".
        #include "FMatrix.h"
        UCLASS(Blueprintable, meta = (Foo))
        class MY_API UMine : public UWorldSubsystem
        {
            GENERATED_BODY()
        public:
            virtual void Initialize(FSubsystemCollectionBase& Collection) override;
            int64 Count = 0;
            void Add(const UWorld* World) { if (World->GetNetMode() == NM_Client && IsTemplate()) { Count += 1; } }
        };
    "#;
    let list = "UCLASS GENERATED_BODY\tall\tunverified\tx\n\
                UWorldSubsystem\tall\tunverified\tx\n\
                UWorldSubsystem::Initialize\tall\tunverified\tx\n\
                FSubsystemCollectionBase\tall\tunverified\tx";
    assert_eq!(missing_of(header, list), ["GetNetMode", "IsTemplate", "NM_Client", "UWorld"]);
    let without = list.replace("UWorldSubsystem::Initialize", "UWorldSubsystem::Deinitialize");
    assert!(missing_of(header, &without).contains(&"Initialize (overridden)".to_owned()));
}

#[test]
fn members_of_engine_types_are_listed_with_their_type() {
    let code = "void F() { const double Now = FPlatformTime::Seconds(); }";
    let with = |symbols: &str| missing_of(code, &format!("{symbols}\tall\tunverified\tx"));
    assert_eq!(with("FPlatformTime FApp::Seconds"), ["FPlatformTime::Seconds"]);
    assert!(with("FPlatformTime FPlatformTime::Seconds").is_empty());
}

#[test]
fn what_the_plugin_declares_is_its_own() {
    let code = r"
        #define MY_MACRO 1
        DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FMyEvent, double, JumpMs);
        enum class EMine : uint8 { First, Second UMETA(Hidden), Third = 7 };
        struct FMine { EMine Kind = EMine::First; FMine* Next = nullptr; };
        using FMineAlias = FMine;
        template<typename T> int32 Count(const FMine& Mine, int32 Limit) { return Mine.Kind == EMine::Third ? Limit : MY_MACRO; }
        void UOther::Ask_Implementation() { Ask(); }
        IMPLEMENT_MODULE(FMineAlias, MyModule)
        IMPLEMENT_SIMPLE_AUTOMATION_TEST(FMyTest, title, 0)
        void FMyTest::Ask() {}
        class UOther final { void Ask(); FMyEvent OnJump; };
        class UEngineType;
        DECLARE_STATS_GROUP(TEXT(), STATGROUP_Mine, STATCAT_Advanced);
        DECLARE_FLOAT_COUNTER_STAT(TEXT(), STAT_Mine, STATGROUP_Mine);
        CSV_CUSTOM_STAT(Mine, OneOfMine, 1.0f, STAT_Mine);
    ";
    let list = "DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam UMETA TEXT DECLARE_STATS_GROUP STATCAT_Advanced \
                DECLARE_FLOAT_COUNTER_STAT CSV_CUSTOM_STAT\tall\tunverified\tx\n\
                IMPLEMENT_MODULE IMPLEMENT_SIMPLE_AUTOMATION_TEST\tall\tunverified\tx";
    assert!(missing_of(code, list).is_empty(), "{:?}", missing_of(code, list));
    let uses_it = format!("{code} UEngineType* Make();");
    let of_the_engine = code.replace("FMineAlias, MyModule", "FDefaultModuleImpl, MyModule");
    assert_eq!(missing_of(&of_the_engine, list), ["FDefaultModuleImpl"]);
    // Declaring that a type exists does not make it one's own.
    assert_eq!(missing_of(&uses_it, list), ["UEngineType"]);
}

/// Symbols without a row, each with the first place where it is used.
fn missing<'a>(
    sources: impl Iterator<Item = (&'a Path, &'a Source)> + Clone,
    listed: &Listed,
) -> BTreeMap<String, String> {
    let own = sources.clone().flat_map(|(_, source)| declared(source)).collect();
    let mut missing = BTreeMap::new();
    for (path, source) in sources {
        for symbol in used(source, &own) {
            if !listed.has(&symbol) {
                let place = format!("{}:{}", path.display(), symbol.line);
                missing.entry(symbol.to_string()).or_insert(place);
            }
        }
    }
    missing
}

fn missing_of(code: &str, list: &str) -> Vec<String> {
    let source = Source::new(code);
    missing([(Path::new("test"), &source)].into_iter(), &Listed::parse(list)).into_keys().collect()
}

fn read(path: &Path) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All headers and sources below, by their paths from the root of the repository.
fn cpp_files(dir: &Path) -> Vec<PathBuf> {
    let absolute = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    let mut found = Vec::new();
    for entry in fs::read_dir(&absolute).unwrap_or_else(|error| panic!("{}: {error}", absolute.display())) {
        let entry = entry.unwrap_or_else(|error| panic!("{}: {error}", absolute.display()));
        let path = dir.join(entry.file_name());
        if entry.path().is_dir() {
            found.extend(cpp_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "h" || extension == "cpp") {
            found.push(path);
        }
    }
    found.sort();
    found
}
