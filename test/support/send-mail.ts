import { createRequire } from 'node:module'
import type { Nonet } from '../../src/host/start.ts'

/** As far as tests use it; the package of the tests' clients has no types. */
interface Transport {
  sendMail: (message: Readonly<Record<string, unknown>>) => Promise<{ accepted: string[] }>
  close: () => void
}

const { createTransport }: { createTransport: (options: object) => Transport } = createRequire(
  new URL('../clients/package.json', import.meta.url)
)('nodemailer')

/** Sends a message with nodemailer to the sandbox of mailbox. */
export async function sendMail(
  { mailbox }: Pick<Nonet<'mailbox'>, 'mailbox'>,
  message: Readonly<Record<string, unknown>>,
  auth?: { user: string; pass: string }
): Promise<void> {
  const transport = createTransport({ ...mailbox.ports.smtp, ignoreTLS: true, auth })
  try {
    await transport.sendMail({ from: 'App <app@example.org>', to: 'ada@example.org', ...message })
  } finally {
    transport.close()
  }
}
