import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { runCommand } from './command-runner.ts'

const CLIENT = join(import.meta.dirname, 'send-command.mjs')

/**
 * Runs commands of nonet for a shell, in processes that have loaded nonet: a command takes a tenth
 * of a second of CPU instead of 0.6 s.
 */
export async function openCommandSocket(): Promise<{ command: string } & AsyncDisposable> {
  const server = createServer({ allowHalfOpen: true }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    command: `node "${CLIENT}" ${port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

async function answer(socket: Socket): Promise<void> {
  socket.end(JSON.stringify(await runCommand(JSON.parse(await text(socket)))))
}
