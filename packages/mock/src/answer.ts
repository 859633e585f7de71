import { readJson } from './body.ts'
import { admits, challenge } from './credentials.ts'
import { invent } from './dynamic.ts'
import { withEchoes } from './echoes.ts'
import { exampleFor, leavesChoice } from './examples.ts'
import type { Answer, Operation, Wish } from './operation.ts'
import { readWish } from './prefer.ts'
import { Refusal } from './problems.ts'
import { withoutRepeats } from './violations.ts'

/**
 * Answers a request to an operation: first what the request must be, in the order in which a service can
 * tell (credentials, body, schema), then the answer it asks for.
 *
 * @throws {Refusal} for a request that breaks the contract
 * @throws {Error} for an answer that breaks the contract
 */
export async function answerTo(operation: Operation, request: Request, dynamic: boolean): Promise<Answer> {
  checkCredentials(operation, request)
  const body = operation.takesBody ? await readJson(request) : undefined
  await checkRequest(operation, request, body)
  const wish = { dynamic, ...readWish(request, operation) }
  const made = await make(operation, wish, body)
  // An example that is asked for by name comes as it is.
  const answer = wish.example === undefined ? withEchoes(operation.echoes, body, made) : made
  return checked(operation, withChallenge(operation, answer))
}

function checkCredentials(operation: Operation, { headers }: Request): void {
  if (admits(operation, headers.get('authorization'))) return
  const code = operation.scheme === 'basic' ? 'invalid_credentials' : 'invalid_token'
  throw new Refusal(code, { headers: { 'www-authenticate': challenge(operation) } })
}

async function checkRequest(operation: Operation, request: Request, body: unknown): Promise<void> {
  const { pathname: path, searchParams } = new URL(request.url)
  const query = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, only(searchParams.getAll(name))]),
  )
  // The body was read by its own rules; Prism would look at its type and length again.
  const { 'content-type': _, 'content-length': __, ...headers } = Object.fromEntries(request.headers)
  const errors = withoutRepeats(await operation.checkRequest({ path, query, headers, body }))
  if (errors.length === 0) return
  const places = errors.length === 1 ? '1 place' : `${errors.length} places`
  throw new Refusal('invalid_request', { detail: `The request breaks the contract in ${places}.`, errors })
}

function make(operation: Operation, wish: Wish, body: unknown): Promise<Answer> {
  if (wish.dynamic && wish.example === undefined) return invent(operation, wish)
  const example = leavesChoice(wish, operation) ? exampleFor(operation, body) : undefined
  return operation.sample({ ...wish, dynamic: false, ...(example !== undefined && { example }) })
}

/** The contract's example of a 401 names one scheme; the operation may take another. */
function withChallenge(operation: Operation, answer: Answer): Answer {
  if (answer.status !== 401) return answer
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': challenge(operation) } }
}

async function checked(operation: Operation, answer: Answer): Promise<Answer> {
  const [violation] = await operation.checkAnswer(answer)
  if (!violation) return answer
  const { pointer, detail } = violation
  throw new Error(`an example contradicts its schema: ${operation.id} ${answer.status} ${pointer} ${detail}`)
}

function only(values: string[]): string | string[] {
  return values.length === 1 ? String(values[0]) : values
}
