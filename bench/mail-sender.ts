import { once } from 'node:events'
import { connect } from 'node:net'

const MESSAGE = [
  'From: Ada <ada@example.test>',
  'To: Grace <grace@example.test>',
  'Subject: A message of two kilobytes',
  'Date: Mon, 15 Jan 2024 10:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  '',
  ...Array.from(
    { length: 25 },
    () => 'A line of the text of this message, repeated until it is long enough.'
  ),
  ''
].join('\r\n')

export interface Receiver {
  protocol: 'smtp' | 'lmtp'
  port: number
  /** One connection sends to each. */
  addresses: readonly string[]
}

/** Sends the same number of messages to each address, all at once; resolves to the seconds. */
export async function sendMessages(receiver: Receiver, each: number): Promise<number> {
  const senders = await Promise.all(
    receiver.addresses.map((address) => openSender(receiver, address))
  )
  const started = performance.now()
  await Promise.all(
    senders.map(async (sender) => {
      for (let sent = 0; sent < each; sent++) await sender.send()
    })
  )
  const seconds = (performance.now() - started) / 1000
  for (const sender of senders) sender.close()
  return seconds
}

async function openSender({ protocol, port }: Receiver, address: string) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let text = ''
  let wake = () => {}
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
    wake()
  })
  /** The last line of a response has a space after its code. */
  async function expect(code: string): Promise<void> {
    for (;;) {
      const last = /^(\d{3}) .*\r\n/m.exec(text)
      if (last !== null) {
        if (last[1] !== code) throw new Error(`${code} expected: ${text}`)
        text = text.slice(last.index + last[0].length)
        return
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  async function say(line: string, code: string): Promise<void> {
    socket.write(`${line}\r\n`)
    await expect(code)
  }
  await once(socket, 'connect')
  await expect('220')
  await say(`${protocol === 'lmtp' ? 'LHLO' : 'EHLO'} bench`, '250')
  let number = 0
  return {
    async send() {
      await say('MAIL FROM:<ada@example.test>', '250')
      await say(`RCPT TO:<${address}>`, '250')
      await say('DATA', '354')
      await say(`Message-ID: <${address}.${number++}>\r\n${MESSAGE}\r\n.`, '250')
    },
    close: () => socket.destroy()
  }
}
