import type { FastifyInstance } from 'fastify'
import { METHODS } from './node-http.ts'

/**
 * Allows every method that Node knows for routes of this instance. All are declared without a body,
 * so Fastify neither reads the body nor rejects a content type.
 */
export function allowAnyMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

export function methodsExcept(...methods: readonly string[]): string[] {
  return METHODS.filter((method) => !methods.includes(method))
}
