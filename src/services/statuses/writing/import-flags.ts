import { ImportInvalid } from '../contract.ts'
import { type ImportFlag, importFlags } from '../import/flags.ts'

/** These name files of the machine that the command runs on, or the format of its output. */
const OF_THE_COMMAND: readonly string[] = ['alt-text', 'exclude-ids', 'json']
const OFF = ['false', '0']

/** Options of an upload, in the query or as form fields, as flags of the import command. */
export function readFlags(
  fields: Iterable<readonly [name: string, value: string]>
): Readonly<Record<string, string | boolean>> {
  const flags: Record<string, string | boolean> = {}
  for (const [name, value] of fields) {
    if (!isFlag(name)) throw new ImportInvalid(`${name} is not an option of an import`)
    flags[name] = importFlags[name].type === 'string' ? value : !OFF.includes(value)
  }
  return flags
}

function isFlag(name: string): name is ImportFlag {
  return Object.hasOwn(importFlags, name) && !OF_THE_COMMAND.includes(name)
}
