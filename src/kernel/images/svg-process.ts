/**
 * Renders one SVG image in a process of its own: librsvg cannot be interrupted, so only the end of
 * the process stops an image that takes too long or too much memory. No other process has the
 * decoder of SVG switched on, and this one has no other.
 */
import sharp from 'sharp'

export interface SvgRequest {
  readonly bytes: Uint8Array
  readonly maxPixels: number
  readonly seconds: number
}

export type SvgResult =
  | { readonly kind: 'rendered'; readonly png: Uint8Array }
  | { readonly kind: 'large'; readonly width: number; readonly height: number }
  | { readonly kind: 'damaged'; readonly reason: string }

const MAX_MEMORY = 512 * 1024 * 1024
const CHECK_MS = 50

/** `process.exit` would wait for the thread that renders. */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}

async function render({ bytes, maxPixels }: SvgRequest): Promise<SvgResult> {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > maxPixels) return { kind: 'large', width, height }
    const png = await sharp(bytes, { limitInputPixels: maxPixels }).png().toBuffer()
    return { kind: 'rendered', png }
  } catch (error) {
    return { kind: 'damaged', reason: String(error) }
  }
}

process.once('disconnect', end)
process.once('message', async (request: SvgRequest) => {
  setTimeout(end, request.seconds * 1000)
  setInterval(() => process.memoryUsage.rss() > MAX_MEMORY && end(), CHECK_MS)
  const result = await render(request)
  process.send?.(result, end)
})
