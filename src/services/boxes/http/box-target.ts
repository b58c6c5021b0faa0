import type { FastifyRequest } from 'fastify'
import { parseRequestTarget, segmentsOf } from '../../../kernel/request-target.ts'

/** The parts of a request URL, not yet validated. */
export interface BoxTarget {
  readonly path: string
  readonly segments: readonly string[]
  readonly parameters: URLSearchParams
}

export function parseBoxTarget({ originalUrl }: FastifyRequest): BoxTarget {
  const { path, query } = parseRequestTarget(originalUrl)
  return {
    path,
    segments: segmentsOf(path),
    get parameters() {
      return new URLSearchParams(query)
    }
  }
}
