import { VERSION } from '../host/version.ts'
import { isStorageError, UserError } from '../kernel/errors.ts'
import { UsageError } from './command.ts'
import { isMockCommand } from './mock-command.ts'

/** Runs one command and resolves to the exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', handleLostOutput)
  try {
    return await dispatch(argv)
  } catch (error) {
    if (error instanceof UsageError) return complain(error.message, 2)
    if (error instanceof UserError || isSystemError(error)) return complain(error.message, 1)
    const { databaseSentence } = await import('../kernel/database/postgres-refusal.ts')
    const sentence = databaseSentence(error)
    if (sentence !== undefined) return complain(sentence, 1)
    if (isStorageError(error)) return complain(error.message, 1)
    throw error
  }
}

/** Whether a system call failed, such as writing to a folder, which is not a defect of nonet. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

const READER_GONE = ['EPIPE', 'ECONNRESET', 'ENOTCONN']

/** A reader may end early, as in `nonet config | head`; a full disk is a failure of the command. */
function handleLostOutput({ code = '', message }: NodeJS.ErrnoException): void {
  if (READER_GONE.includes(code) || lostOutput !== undefined) return
  lostOutput = message
  process.once('exit', () => {
    process.exitCode = 1
  })
  complain(`Cannot write the output: ${message}`, 1)
}

let lostOutput: string | undefined

function complain(text: string, exitCode: number): number {
  process.stderr.write(`nonet: ${text}\n`)
  return exitCode
}

/** Commands are loaded when used: `nonet mock` needs one service, the others need all. */
async function dispatch([word, ...argv]: readonly string[]): Promise<number> {
  if (word === '--version' || word === '-v') {
    process.stdout.write(`${VERSION}\n`)
    return 0
  }
  if (word !== undefined && isMockCommand(word)) {
    const { runMock } = await import('./mock.ts')
    return runMock(word, argv)
  }
  const { runCommand } = await import('./commands.ts')
  return runCommand(word, argv)
}
