import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findService } from '../../src/host/service-registry.ts'
import type { Nonet } from '../../src/host/start.ts'
import type { ImportReport } from '../../src/services/cards/import-export/run/report.ts'
import { scratchFolder } from './scratch-folder.ts'

type Flags = Readonly<Record<string, unknown>>
type Console = Pick<Nonet<'cards'>, 'console'>

function endpointOf({ console }: Console): { url: string; headers: Record<string, string> } {
  return { url: `${console?.url}/cards`, headers: {} }
}

/** Runs the import command against a nonet of this process. */
export async function importCards(
  nonet: Console,
  file: string,
  flags: Flags = {}
): Promise<ImportReport> {
  const command = findService('cards')?.tools?.remote?.import
  if (command === undefined) throw new Error('There is no import')
  const options = { file, files: [file], flags: { ...flags, json: true }, show: () => undefined }
  return JSON.parse(await command.run(endpointOf(nonet), options))
}

/** Runs the export command; resolves to the folder. */
export async function exportCards(
  nonet: Console,
  board: string,
  flags: Flags = {}
): Promise<string> {
  const command = findService('cards')?.tools?.remote?.export
  if (command === undefined) throw new Error('There is no export')
  const file = join(scratchFolder(), 'export')
  const options = { file, files: [file], flags: { ...flags, board }, show: () => undefined }
  await command.run(endpointOf(nonet), options)
  return file
}

/** A folder with `board.json` and files by their paths. */
export function exportFolder(
  board: object | string,
  files: Readonly<Record<string, Uint8Array>> = {}
): string {
  const folder = scratchFolder()
  writeFileSync(
    join(folder, 'board.json'),
    typeof board === 'string' ? board : JSON.stringify(board)
  )
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  return folder
}

/** The id of the `number`th object of a test. */
export function objectId(number: number): string {
  return `6600a000${number.toString(16).padStart(16, '0')}`
}

/** An export of Trello with one list, and the cards. */
export function trelloBoard(cards: readonly unknown[], more: object = {}): object {
  return {
    id: objectId(1),
    name: 'Work',
    desc: '',
    closed: false,
    shortLink: 'wOrk1234',
    prefs: { permissionLevel: 'private' },
    lists: [{ id: objectId(2), name: 'Done', closed: false, pos: 1 }],
    cards,
    ...more
  }
}

export function trelloCard(number: number, more: object = {}): Record<string, unknown> {
  const id = objectId(number)
  return {
    id,
    name: `Card ${number}`,
    desc: 'Text',
    idList: objectId(2),
    idShort: number,
    shortLink: `c${number.toString(36).padStart(7, '0')}`,
    closed: false,
    pos: number,
    ...more
  }
}
