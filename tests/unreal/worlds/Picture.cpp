#include "Picture.h"

#include <filesystem>
#include <fstream>

#include "Double/Harness.h"

namespace Picture
{
	std::string Hex(const FLinearColor& Color)
	{
		char Text[16];
		std::snprintf(Text, sizeof Text, "#%02x%02x%02x", static_cast<unsigned>(Color.R * 255 + 0.01f),
			static_cast<unsigned>(Color.G * 255 + 0.01f), static_cast<unsigned>(Color.B * 255 + 0.01f));
		return Text;
	}

	const FDoubleDrawn* Find(const UCanvas& Canvas, const std::string& Part)
	{
		for (const FDoubleDrawn& Item : Canvas.Drawn)
		{
			if (FDouble::Narrow(*Item.Text).find(Part) != std::string::npos) { return &Item; }
		}
		return nullptr;
	}

	void Write(const UCanvas& Canvas, const std::string& Name, const std::string& Label, FVector2D From,
		FVector2D Size)
	{
		std::filesystem::create_directories(FDouble::State.SavedDir);
		std::ofstream File(FDouble::State.SavedDir + "/" + Name + ".svg");
		char Line[512];
		std::snprintf(Line, sizeof Line,
			"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"%.0f %.0f "
			"%.0f %.0f\"",
			Size.X, Size.Y, From.X, From.Y, Size.X, Size.Y);
		File << Line
			 << " font-family=\"Segoe UI, Helvetica, Arial, sans-serif\" font-size=\"12\" role=\"img\" "
				"aria-label=\""
			 << Label << "\">\n";
		std::snprintf(Line, sizeof Line, "y=\"%.0f\" width=\"%.0f\" height=\"%.0f\"", From.Y, Size.X, Size.Y);
		File << "<rect " << Line << " fill=\"#56606b\"/>\n";
		for (const FDoubleDrawn& Item : Canvas.Drawn)
		{
			const std::string Color = Hex(Item.Color);
			switch (Item.Kind)
			{
			case FDoubleDrawn::EKind::Tile:
				std::snprintf(Line, sizeof Line,
					"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" "
					"fill-opacity=\"%.2f\"/>",
					Item.From.X, Item.From.Y, Item.To.X, Item.To.Y, Color.c_str(),
					static_cast<double>(Item.Color.A));
				break;
			case FDoubleDrawn::EKind::Line:
				std::snprintf(Line, sizeof Line, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\"/>",
					Item.From.X, Item.From.Y, Item.To.X, Item.To.Y, Color.c_str());
				break;
			case FDoubleDrawn::EKind::Text:
				// The engine draws text below its position.
				std::snprintf(Line, sizeof Line, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>",
					Item.From.X, Item.From.Y + 12, Color.c_str(), FDouble::Narrow(*Item.Text).c_str());
				break;
			}
			File << Line << "\n";
		}
		File << "</svg>\n";
	}
}
