import type { FastifyInstance } from 'fastify'
import { METHODS } from './node-http.ts'

/**
 * Lets routes of this instance take every method that Node knows. To Fastify none of them has a
 * body, so it reads none, and no content type, right or wrong, changes the response.
 */
export function allowAnyMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

export function methodsExcept(...methods: readonly string[]): string[] {
  return METHODS.filter((method) => !methods.includes(method))
}
