import type { Operation, Wish } from './operation.ts'
import { Refusal } from './problems.ts'

/**
 * Reads which answer a request prefers: `Prefer: code=404, example=notFound, dynamic=true` (RFC 7240), or
 * the query `__code`, `__example` and `__dynamic` where no header can be set. Other preferences are ignored.
 *
 * @throws {Refusal} invalid_request for an answer that the operation does not declare: a test that asks for
 *   it should hear so, rather than get another one
 */
export function readWish(request: Request, operation: Operation): Wish {
  const { code, example, dynamic } = preferences(request)
  const wish: Wish = {
    ...(code !== undefined && { code: Number(code) }),
    ...(example !== undefined && { example }),
    ...(dynamic !== undefined && { dynamic: dynamic === 'true' }),
  }
  const response = responseTo(wish, operation)
  const statuses = operation.responses.map(({ status }) => status)
  if (!response) refuse('code', code, statuses)
  const names = response.examples.map(({ name }) => name)
  if (example !== undefined && !names.includes(example)) refuse('example', example, names)
  return wish
}

/** The response that a wish names: the lowest success where it names none. */
export function responseTo({ code }: Wish, { responses }: Operation) {
  const successes = responses.filter(({ status }) => status < 300).sort((a, b) => a.status - b.status)
  return code === undefined ? successes[0] : responses.find(({ status }) => status === code)
}

function preferences(request: Request): Record<string, string | undefined> {
  const header = request.headers.get('prefer')
  if (header === null) return fromQuery(new URL(request.url).searchParams)
  const pairs = header.split(',').map((part) => /^ *([^=]+?) *= *"?([^"]*?)"? *$/.exec(part) ?? [])
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value]))
}

function fromQuery(query: URLSearchParams): Record<string, string | undefined> {
  return Object.fromEntries(
    ['code', 'example', 'dynamic'].map((name) => [name, query.get(`__${name}`) ?? undefined]),
  )
}

function refuse(name: string, value: string | undefined, declared: (string | number)[]): never {
  const detail = `"${name}" must be one of ${declared.join(', ')}, got "${value}".`
  throw new Refusal('invalid_request', {
    detail: 'The response that the request prefers is not in the contract.',
    errors: [{ pointer: 'prefer', code: name, detail }],
  })
}
