import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'

/** The key is sealed; the time is in Unix milliseconds. */
export interface SealedCertificate {
  readonly certificate: string
  readonly key: string
  readonly createdAt: number
}

interface CertificateRow {
  certificate: string
  key: string
  created_at: number
}

const SELECT = 'select certificate, key, created_at from sandbox_certificate where id = 1'

/** Undefined before the first TLS connection. */
export function* readCertificate(): Transaction<SealedCertificate | undefined> {
  const [row] = yield* queryAutocommit<CertificateRow>(SELECT)
  return row && fromRow(row)
}

/** Unless there is one that is not older than `oldest`; returns the one that counts. */
export function* addCertificate(
  made: SealedCertificate,
  oldest: number
): Transaction<SealedCertificate> {
  const [found] = yield* query<CertificateRow>(SELECT)
  if (found !== undefined && found.created_at >= oldest) return fromRow(found)
  yield* query('delete from sandbox_certificate where id = 1')
  yield* query(
    'insert into sandbox_certificate (id, certificate, key, created_at) values (1, ?, ?, ?)',
    made.certificate,
    made.key,
    made.createdAt
  )
  return made
}

function fromRow({ certificate, key, created_at }: CertificateRow): SealedCertificate {
  return { certificate, key, createdAt: created_at }
}
