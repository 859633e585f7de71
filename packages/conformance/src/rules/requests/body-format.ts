import type { Context } from '../../engine/context.ts'
import { isRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { below, nodeOf } from '../../model/document.ts'
import { type Exchange, type Input, isSuccess } from '../../model/exchange.ts'
import { bareMediaType } from '../../model/http.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { withValidRequests } from '../common/valid-requests.ts'

export const bodyFormat: Rule = {
  id: 'body-format',
  phase: 'http',
  isTraffic: true,
  cites: 'contract',
  title:
    'A body that is missing, is not valid JSON, has another media type or is too large is refused, and no other.',
  advice: 'Check the media type, the size and the JSON of a body before anything else.',
  run: (context) =>
    withValidRequests(context, async (view, valid) => {
      if (view.bodyPointer === undefined) return
      await expectAccepted(context, view, valid)
      await context.each(invalidBodies(context, view, valid), async (it) => {
        const input = it.isFresh ? await fresh(context, view, valid) : valid
        judge(context, it, await context.send(view, input, it.options(input)))
      })
    }),
}

/** A body that an operation must refuse. */
interface InvalidBody {
  readonly kind: string
  readonly words: string
  readonly options: (input: Input) => {
    raw?: { body: string }
    headers?: Record<string, string>
    without?: string[]
  }
  /** The status of the refusal, where the contract declares how refusals look. */
  readonly status: number
  /** The open question that an acceptance deviates from; undefined: it breaks the request body of the contract. */
  readonly question?: string | undefined
  /** Whether the request needs new one-time values, so that a repeated value is not the reason of a refusal. */
  readonly isFresh?: true
}

function judge({ behaviour, ...context }: Context, it: InvalidBody, exchange: Exchange): void {
  const { kind, words, status: expected, question } = it
  const { status } = exchange.response
  const contract = below(exchange.view?.pointer ?? '', 'requestBody')
  const refusals = behaviour.conventions?.refusals?.question
  if (isSuccess(exchange))
    context.expect(exchange, `A request with ${words} was accepted (${status}); expected ${expected}.`, {
      contract,
      about: kind,
      ...(question !== undefined && { question }),
    })
  else if (status === expected) context.passed()
  // A conflict says that the body was read.
  else if (!isRefusal(exchange) || status === 409) context.inconclusive()
  else
    context.expect(exchange, `A request with ${words} was refused with ${status}; expected ${expected}.`, {
      about: `${kind} ${status}`,
      question: question ?? refusals,
    })
}

function invalidBodies(context: Context, view: OperationView, valid: Input): InvalidBody[] {
  return [
    ...malformed(valid),
    ...missing(view),
    ...otherTypes(context, view),
    ...tooLarge(context, view),
    ...repeatedField(context, valid),
  ]
}

function malformed({ body }: Input): InvalidBody[] {
  return malformedTexts(body).map((body) => ({
    kind: 'malformed',
    words: 'a body that is not valid JSON',
    options: () => ({ raw: { body } }),
    status: 400,
  }))
}

/** Strings that are never valid JSON, and some that lenient parsers accept (RFC 8259, section 2). */
export function malformedTexts(body: unknown): string[] {
  const json = JSON.stringify(body)
  const texts = ['{', '{"a":}', 'nonsense', '\u0000', ...(json === undefined ? [] : lenient(json))]
  // For bodies such as `{}`, `12` or `null`, some of these edits are valid JSON.
  return [...new Set(texts)].filter((it) => !isJson(it))
}

function lenient(json: string): string[] {
  const open = json.slice(0, -1)
  return [open, `${open},}`, `${json}}`, `${json} x`, `/* a */${json}`, json.replaceAll('"', "'")]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A body of null or of another type breaks its schema: break-refused sends those. */
function missing({ isBodyRequired }: OperationView): InvalidBody[] {
  const options = () => ({ raw: { body: '' } })
  return isBodyRequired ? [{ kind: 'missing', words: 'no body', options, status: 400 }] : []
}

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/vnd.api+json',
]

/** Media types that are not declared; a body without one may be read (RFC 9110, section 8.3). */
function otherTypes({ behaviour }: Context, { bodyTypes }: OperationView): InvalidBody[] {
  const question = behaviour.conventions?.refusals?.question
  const isDeclared = (type: string) =>
    bodyTypes.some(
      (it) =>
        bareMediaType(it) === type || it === '*/*' || (it.endsWith('/*') && type.startsWith(it.slice(0, -1))),
    )
  const row = (words: string, options: InvalidBody['options']): InvalidBody => ({
    kind: 'media type',
    // A conflict would hide that the body was read.
    isFresh: true,
    words,
    options,
    status: 415,
    question,
  })
  const typed = TYPES.filter((it) => !isDeclared(it)).map((type) =>
    row(`the media type ${type}`, () => ({ headers: { 'content-type': type } })),
  )
  return [...typed, row('no media type', () => ({ without: ['content-type'] }))]
}

/** Spaces after the JSON: a kilobyte more than the limit. */
const TOO_LARGE = ' '.repeat(66_560)

function tooLarge({ behaviour }: Context, { statuses }: OperationView): InvalidBody[] {
  const question = behaviour.conventions?.bodySize?.question
  if (!statuses.includes('413')) return []
  const options = ({ body }: Input) => ({ raw: { body: JSON.stringify(body) + TOO_LARGE } })
  return [{ kind: 'size', words: 'a body of 65 KB', options, status: 413, question }]
}

/** A body whose second value of a field is invalid: a service that accepts it took the first (RFC 8259, section 4). */
function repeatedField({ behaviour }: Context, valid: Input): InvalidBody[] {
  const question = behaviour.conventions?.repeatedFields?.question
  const [name] = Object.entries(nodeOf(valid.body)).find(([, value]) => typeof value === 'string') ?? []
  if (name === undefined) return []
  const options = ({ body }: Input) => ({
    raw: { body: JSON.stringify(body).replace(/\}$/, `,${JSON.stringify(name)}:7}`) },
  })
  return [
    {
      kind: 'repeated field',
      words: `${name} twice, the second time as a number`,
      options,
      status: 400,
      question,
      isFresh: true,
    },
  ]
}

async function fresh(context: Context, view: OperationView, valid: Input): Promise<Input> {
  return (await context.builder.refreshed(view, valid, 'partner')) ?? valid
}

/** Spaces that leave room for the JSON below the limit. */
const LARGE = ' '.repeat(60_000)

/** A body is accepted with every spelling of its media type, and up to the size limit. */
async function expectAccepted(context: Context, view: OperationView, valid: Input): Promise<void> {
  for (const type of sameTypes(view)) {
    const input = await fresh(context, view, valid)
    const exchange = await context.send(view, input, { headers: { 'content-type': type } })
    const message = `A request with the media type ${type} was refused (415); expected it to be accepted.`
    if (!isSuccess(exchange) && exchange.response.status !== 415) context.inconclusive()
    else context.expect(exchange, isSuccess(exchange) ? undefined : message, { about: 'same media type' })
  }
  await expectRoom(context, view, valid)
}

/** A parameter, a space and capitals do not make it another media type (RFC 9110, section 8.3.1). */
function sameTypes({ bodyType }: OperationView): string[] {
  const type = bareMediaType(bodyType)
  return [`${type}; charset=utf-8`, `${type.replace(/^a|json$/g, (it) => it.toUpperCase())};charset="UTF-8"`]
}

async function expectRoom(context: Context, view: OperationView, valid: Input): Promise<void> {
  const question = context.contract.conventions.bodySize?.question
  if (!view.statuses.includes('413')) return
  const input = await fresh(context, view, valid)
  const exchange = await context.send(view, input, { raw: { body: JSON.stringify(input.body) + LARGE } })
  const message = 'A body of less than 64 KB was refused as too large (413).'
  context.expect(exchange, exchange.response.status === 413 ? message : undefined, {
    about: 'size',
    question,
  })
}
