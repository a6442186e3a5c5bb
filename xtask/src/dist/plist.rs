//! The property lists by which Apple's tools know what is in an xcframework or a bundle.

use super::platforms::Target;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
    <plist version=\"1.0\">\n<dict>\n";

/// The whole list, of the entries of all parts.
pub(super) fn xcframework(parts: &str) -> String {
    format!(
        "{HEAD}<key>AvailableLibraries</key>\n<array>\n{parts}</array>\n\
         <key>CFBundlePackageType</key>\n<string>XFWK</string>\n\
         <key>XCFrameworkFormatVersion</key>\n<string>1.0</string>\n</dict>\n</plist>\n"
    )
}

/// The list of a bundle that has resources and no code.
pub(super) fn resource_bundle(name: &str, version: &str) -> String {
    format!(
        "{HEAD}<key>CFBundleIdentifier</key>\n<string>org.netclock.{name}</string>\n\
         <key>CFBundleInfoDictionaryVersion</key>\n<string>6.0</string>\n\
         <key>CFBundleName</key>\n<string>{name}</string>\n\
         <key>CFBundlePackageType</key>\n<string>BNDL</string>\n\
         <key>CFBundleShortVersionString</key>\n<string>{version}</string>\n\
         <key>CFBundleVersion</key>\n<string>{version}</string>\n</dict>\n</plist>\n"
    )
}

/// The entry of one part: its directory, its library, and the machines that it serves.
pub(super) fn part(directory: &str, library: &str, targets: &[Target]) -> String {
    let processors: String = targets
        .iter()
        .map(|target| if target.rust.starts_with("aarch64") { "arm64" } else { "x86_64" })
        .map(|processor| format!("<string>{processor}</string>"))
        .collect();
    let variant = if directory.ends_with("-simulator") {
        "<key>SupportedPlatformVariant</key><string>simulator</string>\n"
    } else {
        ""
    };
    format!(
        "<dict>\n<key>BinaryPath</key><string>{library}</string>\n\
         <key>HeadersPath</key><string>Headers</string>\n\
         <key>LibraryIdentifier</key><string>{directory}</string>\n\
         <key>LibraryPath</key><string>{library}</string>\n\
         <key>SupportedArchitectures</key><array>{processors}</array>\n\
         <key>SupportedPlatform</key><string>ios</string>\n{variant}</dict>\n"
    )
}
