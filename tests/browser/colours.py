"""Pictures with a palette of 256 colours: a third of the bytes, and nobody sees it."""

from __future__ import annotations

import base64
import struct
import zlib

from playwright.sync_api import BrowserContext

# The commonest colours, five bits a part, stand for all others. The browser reads the picture; no package is needed for it.
READ = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const pixels = canvas.getImageData(0, 0, width, height).data;
  const bins = new Map();
  const binOf = (at) => (pixels[at] >> 3 << 10) | (pixels[at + 1] >> 3 << 5) | (pixels[at + 2] >> 3);
  for (let at = 0; at < pixels.length; at += 4) {
    const bin = bins.get(binOf(at)) ?? bins.set(binOf(at), [0, 0, 0, 0]).get(binOf(at));
    for (let part = 0; part < 3; part += 1) bin[part] += pixels[at + part];
    bin[3] += 1;
  }
  const mean = ([red, green, blue, count]) => [red, green, blue].map((sum) => Math.round(sum / count));
  const palette = [...bins.values()].sort((a, b) => b[3] - a[3]).slice(0, 256).map(mean);
  const far = (a, b) => a.reduce((sum, one, part) => sum + (one - b[part]) ** 2, 0);
  const place = new Map([...bins].map(([bin, sums]) => {
    const colour = mean(sums);
    return [bin, palette.reduce((best, one, n) => (far(one, colour) < far(palette[best], colour) ? n : best), 0)];
  }));
  const indices = new Uint8Array(width * height);
  for (let n = 0; n < indices.length; n += 1) indices[n] = place.get(binOf(4 * n));
  let text = "";
  for (let n = 0; n < indices.length; n += 8192) text += String.fromCharCode(...indices.subarray(n, n + 8192));
  return [width, height, palette.flat(), btoa(text)];
}"""


def with_few_colours(context: BrowserContext, png: bytes) -> bytes:
    page = context.new_page()
    width, height, palette, text = page.evaluate(READ, base64.b64encode(png).decode())
    page.close()
    indices = base64.b64decode(text)
    rows = b"".join(b"\0" + indices[n : n + width] for n in range(0, width * height, width))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", bytes(palette)), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
