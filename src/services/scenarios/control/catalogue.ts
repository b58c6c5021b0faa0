import { type Answer, json } from '../answer.ts'
import { MethodNotAllowed } from '../contract.ts'
import type { PlaceCall } from '../places.ts'
import { SCENARIOS } from '../scenario/catalogue.ts'

/** `GET /_scenarios`: every scenario with one line that shows it. */
export async function answerCatalogue({ room, request, method }: PlaceCall): Promise<Answer> {
  if (method !== 'GET') throw new MethodNotAllowed()
  const base = room.kernel.baseUrl(request)
  const scenarios = SCENARIOS.map(({ name, usage, about, example }) => {
    return { name, usage, about, curl: curlLine(base, example) }
  })
  return json({ scenarios })
}

/** `METHOD /path [body]` as a command. */
export function curlLine(base: string, example: string): string {
  const [method = 'GET', path = '/', ...rest] = example.split(' ')
  const body = rest.join(' ')
  const verb = method === 'GET' || (method === 'POST' && body !== '') ? '' : ` -X ${method}`
  return `curl -i${verb}${body === '' ? '' : ` --json '${body}'`} '${base}${path}'`
}
