import type { Contract } from '../model/contract.ts'
import { valueAt } from '../model/document.ts'
import { type Exchange, headerOf } from '../transport/exchange.ts'
import type { Mask, Piece } from '../transport/mask.ts'
import type { Evidence } from './result.ts'
import type { Law } from './rule.ts'
import { commandOf } from './shell.ts'

/** Characters of a body that a report shows. */
const SHOWN = 2_000
/** Characters that are looked at for secrets beyond those that are shown. */
const BEYOND = 10_000

/** What an exchange is shown by. */
interface Means {
  /** Where the service is. */
  readonly base: string
  readonly mask: Mask
  readonly contract: Pick<Contract, 'operations'>
  /** The law that judged it; absent where nothing was sent, so that nothing can be tried again. */
  readonly law?: Pick<Law, 'phase'>
}

/** An exchange as a report shows it. */
export function evidenceOf(exchange: Exchange, { base, mask, contract, law }: Means): Evidence {
  const { call, reply } = exchange
  const path = pathPieces(exchange, mask, contract)
  const body = call.body === undefined ? undefined : cut(mask, call.body)
  const url = [{ text: base.replace(/\/$/, ''), isName: false }, ...path]
  const headers = Object.entries(call.headers).map(([name, value]) => ({ name, value: mask.pieces(value) }))
  return {
    curl: commandOf({ method: call.method, headers, body: body?.pieces, cutAt: body?.cutAt, url }),
    method: call.method,
    path: textOf(path),
    status: reply.status === 0 ? undefined : reply.status,
    request: body ? shownAs(body) : '',
    response: shownAs(cut(mask, reply.text)),
    requestId: headerOf(reply.headers, 'x-request-id'),
    isRepeatable: body?.cutAt === undefined && (law === undefined || isAlone(law, exchange)),
  }
}

/** Phases whose laws judge a request by those before it. */
const SEQUENCES: readonly string[] = ['lifecycles', 'deliveries', 'data', 'time']

/** Whether a request shows by itself what it showed: records of the run are gone, and what is used once is used up. */
function isAlone({ phase }: Pick<Law, 'phase'>, { view, call }: Exchange): boolean {
  if (SEQUENCES.includes(phase)) return false
  if (!view || view.pathParameters.length + view.usedOnce.length === 0) return true
  const sent = jsonOf(call.body)
  return view.pathParameters.length === 0 && view.usedOnce.every((it) => valueAt(sent, it) === undefined)
}

function jsonOf(body = ''): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** A path in which secrets are hidden, but for words that the contract has at the same place of its own path. */
function pathPieces({ view, call }: Exchange, mask: Mask, { operations }: Means['contract']): Piece[] {
  const [bare = '', ...query] = call.path.split(/(?=\?)/)
  const own = (view ? [view] : operations).map(({ path }) => path.split('/'))
  const steps = bare.split('/').flatMap((step, i): Piece[] => {
    const isOwn = own.some((it) => it[i] === step)
    const slash = { text: i > 0 ? '/' : '', isName: false }
    return [slash, ...(isOwn ? [{ text: step, isName: false }] : mask.pieces(step))]
  })
  return [...steps, ...query.flatMap((it) => mask.pieces(it))]
}

interface Cut {
  readonly pieces: readonly Piece[]
  /** Characters of all of it, where it was cut. */
  readonly cutAt: number | undefined
}

/** The beginning of a text. Secrets are hidden first, so that none is cut in two. */
function cut(mask: Mask, text: string): Cut {
  const pieces: Piece[] = []
  let room = SHOWN
  for (const it of mask.pieces(text.slice(0, SHOWN + BEYOND))) {
    if (room <= 0) break
    pieces.push(it.isName ? it : { ...it, text: it.text.slice(0, room) })
    room -= it.text.length
  }
  return { pieces, cutAt: text.length > SHOWN ? text.length : undefined }
}

function shownAs({ pieces, cutAt }: Cut): string {
  return cutAt === undefined
    ? textOf(pieces)
    : `${textOf(pieces)}… (${cutAt.toLocaleString('en-US')} characters)`
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}
