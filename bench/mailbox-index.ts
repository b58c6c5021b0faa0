import { startDaemon, startMailServer } from './mail-daemon.ts'
import { fillInbox } from './mailbox-disk.ts'
import { type Bar, markdownTable } from './table.ts'

const MESSAGES = 100_000
const MAX_SECONDS = 30

/** Measures how long the first reading of a large mailbox takes. */
export async function benchIndex(): Promise<{ text: string; bars: readonly Bar[] }> {
  const server = await startMailServer('--mailbox-sandbox-messages=1000000')
  try {
    const [account] = await server.addAccounts(1)
    if (account === undefined) throw new Error('There is no account')
    await fillInbox(account.imap, MESSAGES)
    const daemon = await startDaemon(['--ephemeral'])
    try {
      const before = await daemon.usage()
      const began = performance.now()
      await daemon.register('large', account.imap)
      await daemon.untilConnected(1)
      const seconds = (performance.now() - began) / 1000
      const cpu = ((await daemon.usage()).cpuMicroseconds - before.cpuMicroseconds) / 1e6
      const row = [String(MESSAGES), `${seconds.toFixed(1)} s`, `${cpu.toFixed(1)} s`]
      return {
        text: `### the first reading of a large mailbox

${markdownTable(['messages', 'time', 'CPU of nonet'], [row])}

The mail server is a sandbox in a process of its own, on the same machine.`,
        bars: [{ what: `s to read ${MESSAGES} messages`, value: seconds, atMost: MAX_SECONDS }]
      }
    } finally {
      await daemon.stop()
    }
  } finally {
    await server.stop()
  }
}
