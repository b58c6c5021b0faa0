import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UserError } from '../../../kernel/errors.ts'
import type {
  ConsoleEndpoint,
  RemoteCommand,
  RemoteCommandOptions
} from '../../../kernel/service.ts'
import type { Imported } from './import.ts'
import { linesOfJsonServer } from './json-server.ts'
import { toJson } from './json5.ts'
import { partsOf } from './parts.ts'

const BOX_FLAG = { type: 'string', about: 'name of the box' } as const
const LINE_FEED = 0x0a
const LISTED_ERRORS = 10

/** The commands `nonet import|export|reset boxes … --box <id>`. */
export const remoteCommands = {
  import: { flags: { box: BOX_FLAG }, run: importFile },
  export: { flags: { box: BOX_FLAG }, run: exportFile },
  reset: {
    flags: {
      box: BOX_FLAG,
      key: { type: 'boolean', about: 'replace the owner key and keep the records' }
    },
    run: resetBox
  }
} as const satisfies Readonly<Record<string, RemoteCommand>>

function boxOf({ flags }: RemoteCommandOptions): string {
  const { box } = flags
  if (typeof box === 'string' && box !== '') return box
  throw new UserError('Missing box name (--box)')
}

async function ask(
  { url, headers }: ConsoleEndpoint,
  path: string,
  parameters: Record<string, string>,
  init: RequestInit = {}
): Promise<Response> {
  const target = `${url}/${path}?${new URLSearchParams(parameters)}`
  const response = await fetch(target, { ...init, headers })
  // A response with status 422 reports rejected lines.
  if (response.ok || response.status === 422) return response
  const text = await response.text()
  throw new UserError(messageIn(text) ?? `The running nonet rejected the request: ${text}`)
}

function messageIn(text: string): string | undefined {
  try {
    return JSON.parse(text).message
  } catch {
    return undefined
  }
}

async function importFile(
  endpoint: ConsoleEndpoint,
  options: RemoteCommandOptions
): Promise<string> {
  const box = boxOf(options)
  const { file, show } = options
  const { size } = statSync(file)
  const isJsonServer = /\.json5?$/i.test(file)
  const parts = isJsonServer ? partsOf(await readJsonServer(file)) : partsOf(createReadStream(file))
  const sum = { created: 0, replaced: 0, unchanged: 0, refused: 0 }
  const errors: Imported['errors'][number][] = []
  let sent = 0
  for await (const { bytes, firstLine } of parts) {
    const parameters = { box, line: String(firstLine) }
    const response = await ask(endpoint, 'import', parameters, { method: 'POST', body: bytes })
    const done: Imported = await response.json()
    for (const key of ['created', 'replaced', 'unchanged', 'refused'] as const) {
      sum[key] += done[key]
    }
    errors.push(...done.errors)
    sent += bytes.length
    show(Math.min(sent, size), size)
  }
  const counts = `${sum.created} new, ${sum.replaced} replaced, ${sum.unchanged} unchanged`
  const stored = `Imported into ${box}: ${counts}`
  if (sum.refused === 0) return stored
  const unit = isJsonServer ? 'record' : 'line'
  const listed = errors
    .slice(0, LISTED_ERRORS)
    .map(({ line, message }) => `\n  ${unit} ${line}: ${message}`)
  throw new UserError(`${stored}; ${sum.refused} rejected:${listed.join('')}`)
}

async function readJsonServer(file: string): Promise<Readable> {
  const text = await readFile(file, 'utf8')
  try {
    const json = /5$/.test(file) ? await toJson(text) : text
    return Readable.from([...linesOfJsonServer(json)].map((line) => Buffer.from(`${line}\n`)))
  } catch (cause) {
    const reason = (cause as Error).message
    const hint =
      'a json-server file must end in .json or .json5, a file with one record per line in .ndjson'
    throw new UserError(`Cannot read ${file}: ${reason} (${hint})`, { cause })
  }
}

/** The file has another name until it is complete. */
async function exportFile(
  endpoint: ConsoleEndpoint,
  options: RemoteCommandOptions
): Promise<string> {
  const box = boxOf(options)
  const response = await ask(endpoint, 'export', { box })
  const total = Number(response.headers.get('x-total-count'))
  const file = targetOf(options.file, box)
  const part = `${file}.part`
  let written = 0
  async function* count(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      for (const byte of chunk) if (byte === LINE_FEED) written++
      options.show(Math.min(written, total), total)
      yield chunk
    }
  }
  try {
    await pipeline(response.body ?? Readable.from([]), count, createWriteStream(part))
    await toDisk(part)
    await rename(part, file)
  } catch (cause) {
    await rm(part, { force: true })
    throw new UserError(`Cannot export ${box}: ${(cause as Error).message}`, { cause })
  }
  return `Exported ${written} records of ${box} to ${file}`
}

async function toDisk(file: string): Promise<void> {
  await using handle = await open(file, 'r+')
  await handle.sync()
}

/** In a folder, the file is named after the box. */
function targetOf(path: string, box: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? join(path, `${encodeURIComponent(box)}.ndjson`) : path
}

async function resetBox(endpoint: ConsoleEndpoint, options: RemoteCommandOptions): Promise<string> {
  const box = boxOf(options)
  if (options.flags.key !== true) {
    await ask(endpoint, 'box', { box }, { method: 'DELETE' })
    return `Deleted ${box} and all its records`
  }
  const response = await ask(endpoint, 'owner', { box }, { method: 'POST' })
  const { key }: { key: string } = await response.json()
  return `New owner key of ${box}, shown only once; the old key no longer works: ${key}`
}
