#include "core/io/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"

namespace attn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A picture whose pixels are all different: red is the row, green the column.
Picture coordinates(Index height, Index width) {
    Picture picture{height, width, {}};
    for (Index y = 0; y < height; ++y)
        for (Index x = 0; x < width; ++x)
            picture.rgb.insert(picture.rgb.end(),
                               {static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(x), 90});
    return picture;
}

/// Pixels that no codec can shrink.
Picture noise(Index height, Index width) {
    Picture picture{height, width, {}};
    std::uint32_t state = 1;
    for (Index i = 0; i < 3 * height * width; ++i) {
        state = state * 1664525U + 1013904223U;
        picture.rgb.push_back(static_cast<std::uint8_t>(state >> 24U));
    }
    return picture;
}

std::string complaint(const std::string& bytes) {
    try {
        static_cast<void>(decode_picture(bytes, "photo"));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string big_endian(std::uint32_t value) {
    return {static_cast<char>(value >> 24U), static_cast<char>(value >> 16U), static_cast<char>(value >> 8U),
            static_cast<char>(value)};
}

/// The head of a PNG without any pixels.
std::string png_head(std::uint32_t width, std::uint32_t height) {
    return "\x89PNG\r\n\x1A\n" + big_endian(13) + "IHDR" + big_endian(width) + big_endian(height) +
           std::string("\x08\x02\0\0\0", 5) + big_endian(0) + big_endian(0) + "IDAT" + big_endian(0);
}

/// An uncompressed TGA of 32 bits a pixel, from the top.
std::string tga(int width, int height, const std::string& bgra) {
    std::string bytes(18, '\0');
    bytes[2] = 2;
    bytes[12] = static_cast<char>(width);
    bytes[14] = static_cast<char>(height);
    bytes[16] = 32;
    bytes[17] = 0x28;
    return bytes + bgra;
}

std::string with_orientation(const std::string& jpeg, char orientation) {
    const std::string tiff = std::string("MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0", 19) +
                             orientation + std::string("\0\0\0\0\0\0", 6);
    const std::string body = std::string("Exif\0\0", 6) + tiff;
    const auto length = static_cast<char>(body.size() + 2);
    return jpeg.substr(0, 2) + "\xFF\xE1" + std::string(1, '\0') + length + body + jpeg.substr(2);
}

TEST(DecodePicture, GivesBackAPng) {
    const Picture picture = coordinates(3, 5);
    EXPECT_EQ(decode_picture(encode_png(picture), "photo"), picture);
}

TEST(DecodePicture, LaysTransparencyOverWhite) {
    const std::string clear("\x0A\x14\x1E\x00", 4);
    const std::string half("\x00\x64\xC8\x80", 4);
    const std::string opaque("\x0A\x14\x1E\xFF", 4);
    const Picture picture = decode_picture(tga(3, 1, clear + half + opaque), "photo");
    EXPECT_THAT(picture.rgb, ElementsAre(255, 255, 255, 227, 177, 127, 30, 20, 10));
}

TEST(DecodePicture, RefusesInOneSentence) {
    EXPECT_EQ(complaint(""), "photo is empty");
    EXPECT_THAT(complaint("Dear reader,\nthis is a letter."), HasSubstr("photo is not a picture"));
    EXPECT_THAT(complaint("%PDF-1.5\n"), HasSubstr("not a picture"));
    EXPECT_THAT(complaint(png_head(4, 4)), HasSubstr("broken"));
    EXPECT_THAT(complaint(png_head(20000, 20000)), HasSubstr("20000 × 20000"));
    EXPECT_THAT(complaint(png_head(16000000, 16000000)), HasSubstr("100 Mpixel"));
    EXPECT_THAT(complaint(png_head(10000, 10001)), HasSubstr("100 Mpixel"));
    const std::string png = encode_png(noise(40, 40));
    for (const std::size_t kept : {png.size() / 4, png.size() / 2, png.size() - 20}) {
        EXPECT_THAT(complaint(png.substr(0, kept)), HasSubstr("broken")) << kept;
    }
    const EncodedPicture jpeg = encode_for_scene(noise(256, 256));
    ASSERT_EQ(jpeg.type, "image/jpeg");
    for (const std::size_t kept : {jpeg.bytes.size() / 2, jpeg.bytes.size() - 500, jpeg.bytes.size() - 2})
        EXPECT_THAT(complaint(jpeg.bytes.substr(0, kept)), HasSubstr("broken")) << kept;
}

TEST(DecodePicture, TurnsAPhoneThatWasHeldUpright) {
    const std::string jpeg = encode_for_scene(noise(200, 256)).bytes;
    const Picture plain = decode_picture(jpeg, "photo");
    const auto pixel = [](const Picture& p, Index y, Index x) {
        const auto* rgb = p.rgb.data() + 3 * (y * p.width + x);
        return std::array{rgb[0], rgb[1], rgb[2]};
    };
    const auto turned = [&](char orientation) {
        return decode_picture(with_orientation(jpeg, orientation), "photo");
    };
    EXPECT_EQ(turned(1), plain);
    EXPECT_EQ(turned(9), plain);
    // Where the stored top left and top right corners are shown, by the EXIF standard's own words.
    EXPECT_EQ(pixel(turned(2), 0, 255), pixel(plain, 0, 0));
    EXPECT_EQ(pixel(turned(2), 0, 0), pixel(plain, 0, 255));
    EXPECT_EQ(pixel(turned(3), 199, 255), pixel(plain, 0, 0));
    EXPECT_EQ(pixel(turned(3), 199, 0), pixel(plain, 0, 255));
    EXPECT_EQ(pixel(turned(4), 199, 0), pixel(plain, 0, 0));
    EXPECT_EQ(pixel(turned(4), 199, 255), pixel(plain, 0, 255));
    for (const char sideways : {'\5', '\6', '\7', '\10'}) {
        EXPECT_EQ(turned(sideways).height, 256);
        EXPECT_EQ(turned(sideways).width, 200);
    }
    EXPECT_EQ(pixel(turned(5), 0, 0), pixel(plain, 0, 0));
    EXPECT_EQ(pixel(turned(5), 255, 0), pixel(plain, 0, 255));
    EXPECT_EQ(pixel(turned(6), 0, 199), pixel(plain, 0, 0));
    EXPECT_EQ(pixel(turned(6), 255, 199), pixel(plain, 0, 255));
    EXPECT_EQ(pixel(turned(7), 255, 199), pixel(plain, 0, 0));
    EXPECT_EQ(pixel(turned(7), 0, 199), pixel(plain, 0, 255));
    EXPECT_EQ(pixel(turned(8), 255, 0), pixel(plain, 0, 0));
    EXPECT_EQ(pixel(turned(8), 0, 0), pixel(plain, 0, 255));
}

TEST(Resize, AveragesLightNotCodes) {
    const Picture halves{1, 2, {0, 0, 0, 255, 255, 255}};
    const Picture one = resize(halves, 1, 1);
    // Half the light is sRGB 188, not 128.
    EXPECT_NEAR(one.rgb[0], 188, 1);
}

TEST(Resize, CoversThePictureWhateverTheShape) {
    Picture flat{300, 7, {}};
    flat.rgb.assign(300 * 7 * 3, 77);
    for (const auto& [height, width] :
         {std::pair<Index, Index>{24, 24}, {1, 1}, {1000, 1}, {300, 7}, {3, 900}}) {
        const Picture result = resize(flat, height, width);
        EXPECT_EQ(result.height, height);
        EXPECT_EQ(result.width, width);
        EXPECT_EQ(result.rgb, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * height * width), 77));
    }
    EXPECT_EQ(resize(coordinates(9, 9), 9, 9), coordinates(9, 9));
    EXPECT_THROW(static_cast<void>(resize(flat, 0, 5)), Error);
}

TEST(CropSquare, KeepsTheMiddle) {
    const Picture middle = crop_square(coordinates(3, 8));
    EXPECT_EQ(middle.height, 3);
    EXPECT_EQ(middle.width, 3);
    EXPECT_EQ(middle.rgb[1], 2);  // the first column kept
    EXPECT_EQ(crop_square(coordinates(9, 4)).rgb[0], 2);
}

TEST(EncodeForScene, FitsAndNeverEnlarges) {
    const Picture small = coordinates(20, 30);
    EXPECT_EQ(decode_picture(encode_for_scene(small).bytes, "scene"), small);
    const Picture fitted = decode_picture(encode_for_scene(coordinates(200, 1000)).bytes, "scene");
    EXPECT_EQ(fitted.width, 256);
    EXPECT_EQ(fitted.height, 51);
    EXPECT_EQ(decode_picture(encode_for_scene(coordinates(1, 2000)).bytes, "scene").height, 1);
}

TEST(EncodeForScene, IsTheSameAgain) {
    const EncodedPicture once = encode_for_scene(coordinates(255, 255));
    ASSERT_EQ(once.type, "image/png");
    EXPECT_LE(once.bytes.size(), 48U * 1024);
    EXPECT_EQ(encode_for_scene(decode_picture(once.bytes, "scene")).bytes, once.bytes);
}

}  // namespace
}  // namespace attn
