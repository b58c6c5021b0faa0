import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Bytes that wait for a slow reader of the output; further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024
const FLUSH_DEADLINE_MS = 1_000
const FLUSH_STEP_MS = 10

export interface Output {
  readonly isTTY: boolean
  /** Complete lines, which are dropped if they cannot be written; never blocks or throws. */
  write: (lines: string) => void
}

/** Standard output and standard error of a process that serves requests. */
export interface ProcessOutput {
  stdout: Output
  stderr: Output
  linesDropped: () => number
  /** Waits for the readers, for at most a second; false if there are still lines to write. */
  flush: () => Promise<boolean>
}

type Done = (error: Error | null | undefined) => void
type WriteLines = (lines: string, done: Done) => void
type Stream = NodeJS.WriteStream & { readonly fd: number }

export function openProcessOutput(
  streams: Readonly<Record<'stdout' | 'stderr', Stream>> = process
): ProcessOutput {
  const { stdout, stderr } = streams
  const writeError = writerOf(stderr)
  const warn = (text: string, done: Done) => writeError(`nonet: ${text}\n`, done)
  const output = createOutput({ name: 'standard output', stream: stdout }, writerOf(stdout), warn)
  const errors = createOutput({ name: 'standard error', stream: stderr }, writeError, warn)
  return {
    stdout: output,
    stderr: errors,
    linesDropped: () => output.dropped() + errors.dropped(),
    flush: () => flush([stdout, stderr])
  }
}

function createOutput(
  { name, stream }: { name: string; stream: NodeJS.WriteStream },
  writeLines: WriteLines,
  warn: (text: string, done: Done) => void
): Output & { dropped: () => number } {
  let dropped = 0
  /** How many of them a warning has mentioned. */
  let reported = 0
  let reason = ''

  function drop(lines: string, why: string): void {
    dropped += lines.split('\n').length - 1
    reason = why
  }

  function reportLosses(): void {
    const before = reported
    const lost = dropped - reported
    reported = dropped
    warn(`dropped ${lost} lines of ${name}: ${reason}`, (error) => {
      if (error) reported = before
    })
  }

  return {
    isTTY: stream.isTTY === true,
    dropped: () => dropped,
    write(lines) {
      if (stream.writableLength > MAX_WAITING_BYTES) {
        drop(lines, 'its reader is too slow')
        return
      }
      writeLines(lines, (error) => {
        if (error) drop(lines, error.message)
        else if (dropped > reported && stream.writableLength === 0) reportLosses()
      })
    }
  }
}

function writerOf(stream: Stream): WriteLines {
  // The type claims that every stream is a socket, but a file is not.
  const isFile: boolean = !(stream instanceof Socket)
  if (isFile) return fileWriter(stream.fd)
  // Errors are passed to the callback of each write.
  stream.on('error', () => {})
  if (stream.isTTY) unblock(stream)
  return (lines, done) => stream.write(lines, done)
}

/** A write to a terminal that is paused or gone would otherwise stop the process. */
function unblock(stream: object): void {
  const { _handle: handle } = stream as { _handle?: { setBlocking?: (on: boolean) => void } }
  handle?.setBlocking?.(false)
}

/** Node's stream for files ignores that only a part was written. */
function fileWriter(fd: number): WriteLines {
  let isLineCut = false
  return (lines, done) => {
    try {
      const bytes = Buffer.from(isLineCut ? `\n${lines}` : lines)
      const written = writeSync(fd, bytes)
      if (written > 0) isLineCut = written < bytes.length
      done(written < bytes.length ? new Error('No disk space left') : undefined)
    } catch (error) {
      done(error as Error)
    }
  }
}

async function flush(streams: readonly NodeJS.WriteStream[]): Promise<boolean> {
  const deadline = performance.now() + FLUSH_DEADLINE_MS
  const isWritten = () => streams.every(({ writableLength }) => writableLength === 0)
  while (!isWritten() && performance.now() < deadline) await wait(FLUSH_STEP_MS)
  return isWritten()
}
