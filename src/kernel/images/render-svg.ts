import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { damagedImage, ImageRefused } from './image-refused.ts'
import { checkBytes, checkPixels, type ImageLimits } from './limits.ts'
import type { SvgRequest, SvgResult } from './svg-process.ts'

const MAX_BYTES = 4 * 1024 * 1024
/** Rendering needs several times the memory of the pixels. */
const MAX_PIXELS = 16_000_000

/**
 * The image as PNG in the size it declares. Files and URLs that it refers to are not loaded: the
 * renderer gets bytes, and without a base URL librsvg resolves `data:` only.
 */
export async function renderSvg(bytes: Buffer, given: ImageLimits): Promise<Buffer> {
  const limits = {
    ...given,
    bytes: Math.min(given.bytes, MAX_BYTES),
    pixels: Math.min(given.pixels, MAX_PIXELS)
  }
  checkBytes(bytes, limits)
  const { pixels: maxPixels, seconds } = limits
  const result = await runProcess({ bytes, maxPixels, seconds })
  if (result === undefined) {
    throw new ImageRefused(
      `The SVG image takes more than ${seconds} ${seconds === 1 ? 'second' : 'seconds'} or too much memory; simplify it or convert it to PNG.`
    )
  }
  if (result.kind === 'large') checkPixels(result.width, result.height, limits)
  if (result.kind === 'rendered') return Buffer.from(result.png)
  const reason = result.kind === 'damaged' ? result.reason : ''
  throw damagedImage('SVG', 'it cannot be rendered', { cause: reason })
}

/** Undefined if the process ended without a result. It has no variables of the environment. */
async function runProcess(request: SvgRequest): Promise<SvgResult | undefined> {
  const own = import.meta.url
  const file = fileURLToPath(new URL(`./svg-process${extname(own)}`, own))
  const child = fork(file, {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  })
  // Beyond the limit of the process itself, in case that it does not start.
  const timer = setTimeout(() => child.kill('SIGKILL'), (request.seconds + 5) * 1000)
  try {
    return await new Promise((resolve) => {
      child.once('message', (result) => resolve(result as SvgResult))
      child.once('exit', () => resolve(undefined))
      child.once('error', () => resolve(undefined))
      child.send(request, () => undefined)
    })
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
