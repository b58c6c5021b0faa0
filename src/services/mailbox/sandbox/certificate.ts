import type { SecureContext } from 'node:tls'
import type { Kernel } from '../../../kernel/service.ts'
import { addCertificate, readCertificate, type SealedCertificate } from '../store/certificate.ts'
import { CERTIFICATE_PURPOSE } from '../store/migrations.ts'

const DAY_MS = 86_400_000
/** The longest time that Apple's programs accept for a certificate that a user trusts. */
const VALID_MS = 825 * DAY_MS
const RENEWED_AFTER_MS = 800 * DAY_MS
/** Clocks of clients may be late. */
const EARLIER_MS = DAY_MS

const NAMES: { type: 2 | 7; value?: string; ip?: string }[] = [
  { type: 2, value: 'localhost' },
  { type: 7, ip: '127.0.0.1' },
  { type: 7, ip: '::1' }
]

/**
 * The certificate of the mail server, made with the first call and then stored. It is read at each
 * call, so that all processes with the same tables have the same one, also after a reset.
 */
export function createTls(
  kernel: Pick<Kernel, 'database' | 'secrets' | 'now'>
): () => Promise<SecureContext> {
  let opened: { certificate: string; context: SecureContext } | undefined

  async function find(): Promise<SealedCertificate> {
    const oldest = kernel.now().getTime() - RENEWED_AFTER_MS
    const found = await kernel.database.read(readCertificate)
    if (found !== undefined && found.createdAt >= oldest) return found
    const made = await makeCertificate(kernel)
    return kernel.database.write(() => addCertificate(made, oldest))
  }

  return async function secureContext() {
    const { certificate, key } = await find()
    if (opened?.certificate !== certificate) {
      const { createSecureContext } = await import('node:tls')
      const pair = { cert: certificate, key: kernel.secrets.open(CERTIFICATE_PURPOSE, key) }
      opened = { certificate, context: createSecureContext({ ...pair, minVersion: 'TLSv1.2' }) }
    }
    return opened.context
  }
}

async function makeCertificate({
  secrets,
  now
}: Pick<Kernel, 'secrets' | 'now'>): Promise<SealedCertificate> {
  const { generate } = await import('selfsigned')
  const createdAt = now().getTime()
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(createdAt - EARLIER_MS),
    notAfterDate: new Date(createdAt - EARLIER_MS + VALID_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: NAMES }
    ]
  })
  return {
    certificate: made.cert,
    key: secrets.seal(CERTIFICATE_PURPOSE, made.private),
    createdAt
  }
}
