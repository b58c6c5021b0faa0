import { createHash, type Hash } from 'node:crypto'
import { isHash } from '../files/driver.ts'
import { FILES_TABLE } from '../files/table.ts'
import type { FileHeader, ServiceBackup, TableHeader } from './portable.ts'

/** Checks that the content of each file of a backup has the hash that its header tells. */
export interface FileCheck {
  count: () => number
  add: (line: string) => void
  /** To be called after the last line; undefined if nothing is wrong. */
  problem: (
    headers: readonly TableHeader[],
    services: readonly ServiceBackup[]
  ) => string | undefined
}

interface Current extends FileHeader {
  hash: Hash
  left: number
}

/** A file begins with an object; each line of its content is a string. */
export function isFileLine(line: string): boolean {
  return line.startsWith('"') || line.startsWith('{"file"')
}

export function createFileCheck(): FileCheck {
  const services = new Set<string>()
  let count = 0
  let current: Current | undefined
  let problem: string | undefined

  function endFile(): void {
    if (current === undefined || problem !== undefined) return
    const { file, service, hash, left } = current
    if (left === 0 && hash.digest('hex') === file) return
    problem = `the content of the file ${file} of ${service} does not match its hash`
  }

  function beginFile(line: string): void {
    const header = parseHeader(line)
    if (header === undefined) problem = 'a line that should begin a file does not'
    else {
      services.add(header.service)
      count += 1
      current = { ...header, hash: createHash('sha256'), left: header.size }
    }
  }

  function addContent(line: string): void {
    const bytes = decodeContent(line)
    if (current === undefined) problem = 'it has the content of a file without a header'
    else {
      current.hash.update(bytes)
      current.left -= bytes.length
    }
  }

  return {
    count: () => count,
    add(line) {
      if (problem !== undefined) return
      if (line.startsWith('"')) addContent(line)
      else {
        endFile()
        beginFile(line)
      }
    },
    problem(headers, stored) {
      endFile()
      const stranger = [...services].find(
        (name) =>
          !stored.some((service) => service.name === name && service.hasFiles) ||
          !headers.some(({ service, table }) => service === name && table === FILES_TABLE)
      )
      return problem ?? (stranger === undefined ? undefined : `${stranger} has no files`)
    }
  }
}

function parseHeader(line: string): FileHeader | undefined {
  try {
    const { file, service, size } = JSON.parse(line)
    const isValid = isHash(file) && typeof service === 'string' && Number.isSafeInteger(size)
    return isValid && size >= 0 ? { file, service, size } : undefined
  } catch {
    return undefined
  }
}

/**
 * Decodes a quoted string of base64. A string in another form decodes to other bytes, which the
 * comparison of hashes then rejects.
 */
export function decodeContent(line: string): Buffer {
  return Buffer.from(line.slice(1, -1), 'base64')
}

export function encodeContent(bytes: Uint8Array): string {
  return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')}"`
}
