#version 330 core
// The colour of one cell: the same decision as attn::colour_of and attn::ramp_index (core/colour.h), step for step.
// What kind of cell it is was decided on the CPU, so no number is ever tested for NaN here.
uniform sampler2D positions;  // R32F, height × width of the cells
uniform usampler2D classes;   // R8UI, attn::CellClass
uniform sampler2D ramp;       // RGBA8, 256 × 1
uniform float low;
uniform float high;
uniform vec4 special[5];      // by class: unused, masked, NaN, +infinity, −infinity

out vec4 colour;

const uint below = 5u;
const uint above = 6u;

int ramp_index(float position) {
    if (high == low) return 255;
    float share = clamp((position - low) * (1.0 / (high - low)), 0.0, 1.0);
    return int(floor(share * 255.0 + 0.5));
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    uint kind = texelFetch(classes, cell, 0).r;
    if (kind != 0u && kind < below) {
        colour = special[kind];
        return;
    }
    int index = kind == below ? 0 : kind == above ? 255 : ramp_index(texelFetch(positions, cell, 0).r);
    colour = texelFetch(ramp, ivec2(index, 0), 0);
}
