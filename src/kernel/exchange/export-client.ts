import { createWriteStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UserError } from '../errors.ts'
import type { ConsoleEndpoint } from '../service.ts'
import { messageOf } from './console-message.ts'
import { readTextLines } from './text-lines.ts'

const NOT_FOUND = 404

export interface ReceivedLines {
  /** Objects that are exported, about. */
  total: number
  lines: AsyncIterable<string>
}

/** Reads what the console of the service exports. */
export class ExportClient {
  readonly #endpoint: ConsoleEndpoint

  constructor(endpoint: ConsoleEndpoint) {
    this.#endpoint = endpoint
  }

  async readLines(what: string, parameters: Record<string, string>): Promise<ReceivedLines> {
    const response = await this.#get(`${what}?${new URLSearchParams(parameters)}`)
    if (!response.ok || response.body === null) throw new UserError(await messageOf(response))
    const { body } = response
    async function* lines(): AsyncGenerator<string> {
      try {
        for await (const { text } of readTextLines(body, () => interrupted())) yield text
      } catch (cause) {
        throw interrupted(cause)
      }
    }
    return { total: Number(response.headers.get('x-total-count')), lines: lines() }
  }

  /** False if it is not stored. Resolves when the file is on the disk. */
  async saveFile(hash: string, path: string): Promise<boolean> {
    const response = await this.#get(`files/${hash}`)
    if (response.status === NOT_FOUND) return false
    if (!response.ok || response.body === null) throw new UserError(await messageOf(response))
    await mkdir(dirname(path), { recursive: true })
    try {
      await pipeline(response.body, createWriteStream(path))
      await using handle = await open(path, 'r+')
      await handle.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    return true
  }

  async #get(path: string): Promise<Response> {
    const { url, headers } = this.#endpoint
    return fetch(`${url}/export/${path}`, { headers }).catch((cause) => {
      throw interrupted(cause)
    })
  }
}

export function interrupted(cause?: unknown): UserError {
  return new UserError('nonet ended during the export; nothing was written', { cause })
}
