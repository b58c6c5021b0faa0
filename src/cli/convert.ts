import { writeFile } from 'node:fs/promises'
import { convertDocument } from '../host/mock-tools.ts'
import { type Command, type Invocation, UsageError } from './command.ts'

const usage =
  'nonet convert <document> [--to 3.0|3.1] [--overlay <file>]… [--patch <file>]… [--bundle] [-o <file>]'

export const convertCommand: Command = {
  name: 'convert',
  summary: 'Print an OpenAPI document as the mock reads it, as version 3.1 or 3.0',
  usage,
  examples: [
    'nonet convert openapi.yaml --overlay local.overlay.yaml',
    'nonet convert swagger.json --to 3.0 --bundle -o openapi.yaml'
  ],
  arguments: 1,
  flags: {
    to: { type: 'string' },
    overlay: { type: 'string', multiple: true },
    patch: { type: 'string', multiple: true },
    bundle: { type: 'boolean' },
    'allow-remote-refs': { type: 'boolean' },
    'allow-refs-outside': { type: 'boolean' },
    output: { type: 'string', short: 'o' }
  },
  flagHelp: {
    to: 'OpenAPI version to print: 3.1 (used by the mock) or 3.0 (default: 3.1)',
    overlay: 'file or URL of an Overlay to apply first; may be repeated',
    patch: 'JSON Patch or Merge Patch file; overlays and patches are applied in the order given',
    bundle: 'inline references to other files',
    'allow-remote-refs': 'allow references to other origins',
    'allow-refs-outside':
      'allow references to files outside the folder of the document and the working folder',
    output: 'write to this file instead of stdout, as JSON or YAML by its extension (short: -o)'
  },
  run
}

/** Prints findings to stderr; if one of them is an error, the document is not written. */
async function run({ positionals, flags, orderedFlags: typed }: Invocation): Promise<number> {
  const [document] = positionals
  if (document === undefined) throw new UsageError(`Missing document. Usage: ${usage}`)
  const file = typeof flags.output === 'string' ? flags.output : undefined
  const { text, findings } = await convertDocument({
    document,
    to: versionIn(flags.to),
    overlay: amendmentsIn(typed),
    patch: [],
    bundle: flags.bundle === true,
    allowRemoteRefs: flags['allow-remote-refs'] === true,
    allowRefsOutside: flags['allow-refs-outside'] === true,
    file
  })
  for (const { level, where, text: about } of findings) {
    process.stderr.write(`${level}: ${where}: ${about}\n`)
  }
  if (findings.some(({ level }) => level === 'error')) return 1
  if (file === undefined) process.stdout.write(text)
  else await writeFile(file, text)
  return 0
}

function versionIn(given: unknown): '3.0' | '3.1' {
  if (given === undefined || given === '3.1') return '3.1'
  if (given === '3.0') return given
  throw new UsageError(`--to must be 3.0 or 3.1, not ${given}`)
}

function amendmentsIn(typed: Invocation['orderedFlags']): string[] {
  return typed.flatMap(({ flag, value }) => {
    if (flag === 'overlay') return [value]
    return flag === 'patch' ? [`patch:${value}`] : []
  })
}
