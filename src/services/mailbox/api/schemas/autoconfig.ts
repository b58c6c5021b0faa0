import type { InputSchemas } from '../route.ts'
import { line } from './parts.ts'

export const autoconfigSchemas = {
  autoconfig: { query: { email: line(256) }, requiredQuery: ['email'] }
} satisfies Partial<Record<string, InputSchemas>>
