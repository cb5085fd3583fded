import { deflateSync } from 'node:zlib'

/** A picture without a file: the wheel, with its rotten paddles in red and its worn bearing in amber. Base64 of a PNG. */
export function wheelPicture(rotten: readonly number[]): string {
  return Buffer.from(encodePng(WIDTH, HEIGHT, (x, y) => smooth(x, y, rotten))).toString('base64')
}

type Colour = readonly [red: number, green: number, blue: number]

const WIDTH = 440
const HEIGHT = 300
const COUNT = 24
const CENTRE = { x: 220, y: 142 }

const PAPER: Colour = [246, 247, 248]
const WOOD: Colour = [92, 82, 70]
const ROTTEN: Colour = [192, 52, 42]
const IRON: Colour = [176, 116, 16]
const WATER: Colour = [58, 148, 168]

/** The mean of four points of a pixel: no steps at the edges. */
function smooth(x: number, y: number, rotten: readonly number[]): Colour {
  const points = [0.25, 0.75].flatMap((dx) => [0.25, 0.75].map((dy) => colourAt(x + dx, y + dy, rotten)))
  const mean = (channel: 0 | 1 | 2) => Math.round(points.reduce((sum, colour) => sum + colour[channel], 0) / 4)
  return [mean(0), mean(1), mean(2)]
}

function colourAt(x: number, y: number, rotten: readonly number[]): Colour {
  const [dx, dy] = [x - CENTRE.x, y - CENTRE.y]
  const radius = Math.hypot(dx, dy)
  const behind = y > 246 + 2.5 * Math.sin(x / 13) ? WATER : PAPER
  if (radius > 126) return behind
  if (radius < 5) return PAPER
  if (radius < 14) return IRON
  if (Math.abs(radius - 96) < 3.5 || Math.abs(radius - 24) < 2.5) return WOOD
  const turn = (Math.atan2(dy, dx) / (2 * Math.PI) + 1) % 1
  if (radius > 24 && radius < 96 && isNearRay(turn, radius, 8, 2.2)) return WOOD
  const paddle = Math.round(turn * COUNT) % COUNT
  if (radius > 90 && isNearRay(turn, radius, COUNT, 3.2)) return rotten.includes(paddle) ? ROTTEN : WOOD
  return behind
}

/** Whether a point lies on one of the rays that divide the circle. */
function isNearRay(turn: number, radius: number, rays: number, halfWidth: number): boolean {
  const off = Math.abs(turn * rays - Math.round(turn * rays)) / rays
  return Math.sin(off * 2 * Math.PI) * radius < halfWidth
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** Eight bits a channel, red, green and blue, not interlaced. */
const TRUE_COLOUR = [8, 2, 0, 0, 0]

function encodePng(width: number, height: number, pixel: (x: number, y: number) => Colour): Uint8Array {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    // The first byte of a row names its filter: none.
    for (let x = 0; x < width; x++) rows.set(pixel(x, y), y * (1 + width * 3) + 1 + x * 3)
  }
  const head = Buffer.concat([uint32(width), uint32(height), Buffer.from(TRUE_COLOUR)])
  const chunks = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from(SIGNATURE), ...chunks])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.byteLength), body, uint32(checksum(body))])
}

/** The CRC-32 that PNG demands. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
