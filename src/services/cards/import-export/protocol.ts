import type { StoredUpload } from '../records/stored-upload.ts'
import type { BoardOutcome } from '../store/import/import-board.ts'
import type { CardsOutcome } from '../store/import/import-cards.ts'
import type { PartsOutcome } from '../store/import/import-parts.ts'
import type { ImportResult } from '../store/import/results.ts'
import type {
  ImportedAction,
  ImportedBoard,
  ImportedCard,
  ImportedField,
  ImportedLabel,
  ImportedList
} from './imported.ts'

/**
 * The import command parses an export and sends it to the console routes of the service
 * (`/cards/import/…`), which store it: the board, its lists, labels and fields, then for each batch
 * of cards the files that are not stored yet and the cards, then actions. Each request stores all
 * or nothing; with `dryRun` nothing.
 */
export const MAX_BATCH_CARDS = 50
export const MAX_BATCH_ACTIONS = 200
/** Bytes of the JSON of one request. */
export const MAX_BATCH_BYTES = 8 * 1024 * 1024

/** `POST /cards/import/board`: 409 if the id is in use elsewhere. */
export interface BoardRequest {
  board: ImportedBoard
  member?: string
  dryRun: boolean
}

export interface BoardResponse extends BoardOutcome {
  /** Of all files of one import. */
  maxImportBytes: number
  maxFileBytes: number
}

/** `POST /cards/import/parts`. */
export interface PartsRequest {
  board: string
  lists: readonly ImportedList[]
  labels: readonly ImportedLabel[]
  fields: readonly ImportedField[]
  mapping?: { completedField: string | null; urlField: string | null }
  isChanged: boolean
  dryRun: boolean
}
export type PartsResponse = PartsOutcome

/** `POST /cards/import/known`: sizes of the stored files of these attachments, by their ids. */
export interface KnownRequest {
  board: string
  attachments: readonly string[]
}
export type KnownResponse = Readonly<Record<string, number>>

/**
 * `POST /cards/import/files`: the body is the file, the header `x-file-name` its name, encoded as
 * in URLs. 413 if it is too large.
 */
export type FileResponse = StoredUpload
export const FILE_NAME_HEADER = 'x-file-name'

/** `POST /cards/import/download`: 422 with the reason if the file cannot be downloaded. */
export interface DownloadRequest {
  url: string
  fileName: string
  key: string
  token: string
}

/** `POST /cards/import/cards`. */
export interface CardsRequest {
  board: string
  cards: readonly ImportedCard[]
  dryRun: boolean
}
export type CardsResponse = CardsOutcome

/** `POST /cards/import/actions`: from the oldest to the newest. */
export interface ActionsRequest {
  board: string
  actions: readonly ImportedAction[]
  dryRun: boolean
}
export interface ActionsResponse {
  results: readonly ImportResult[]
}
