import type { Contract } from '../model/contract.ts'
import { valueAt } from '../model/document.ts'
import type { Exchange } from '../model/exchange.ts'
import { headerOf, jsonIn } from '../model/http.ts'
import type { Mask, Piece } from '../transport/mask.ts'
import { curlCommand } from '../transport/shell-commands.ts'
import type { Evidence } from './result.ts'
import type { Rule } from './rule.ts'

/** Characters of a body in a report. */
const MAX_SHOWN = 2_000
/** Characters beyond these in which secrets are still masked, so that none is cut in two. */
const MASKED_BEYOND = 10_000

interface EvidenceOptions {
  /** Base URL of the service. */
  readonly base: string
  readonly mask: Mask
  readonly contract: Pick<Contract, 'operations'>
  /** The rule that judged the exchange; absent for recorded traffic. */
  readonly rule?: Pick<Rule, 'phase'>
}

/** An exchange as reports show it, with secrets masked. */
export function evidenceOf(exchange: Exchange, { base, mask, contract, rule }: EvidenceOptions): Evidence {
  const { request, response } = exchange
  const path = pathPieces(exchange, mask, contract)
  const body = request.body === undefined ? undefined : truncate(mask, request.body)
  const url = [{ text: base.replace(/\/$/, ''), isName: false }, ...path]
  const headers = Object.entries(request.headers).map(([name, value]) => ({
    name,
    value: mask.pieces(value),
  }))
  const curl = curlCommand({ method: request.method, headers, body: body?.pieces, url })
  const isReproducible =
    response.status !== 0 &&
    body?.cutAt === undefined &&
    [...url, ...headers.flatMap(({ value }) => value), ...(body?.pieces ?? [])].every(isSettable) &&
    (rule === undefined || isSelfContained(rule, exchange))
  return {
    curl: isReproducible ? curl : undefined,
    method: request.method,
    path: textOf(path),
    status: response.status === 0 ? undefined : response.status,
    request: body ? truncatedText(body) : '',
    response: truncatedText(truncate(mask, response.text)),
    requestId: headerOf(response.headers, 'x-request-id'),
  }
}

/** Variables that the commands of `signIn`, or the user, have set. */
const SETTABLE = /^\$(OTHER_)?(TOKEN|CREDENTIALS)$|^\$(CLIENT|OTHER)_SECRET$/

function isSettable({ text, isName }: Piece): boolean {
  return !isName || SETTABLE.test(text)
}

/** Phases in which the outcome of a request depends on earlier requests. */
const SEQUENCES: readonly string[] = ['records', 'deliveries', 'lists', 'later']

/**
 * Whether the request reproduces the finding alone: its path names no record of the run, and its body has no
 * one-time value.
 */
function isSelfContained({ phase }: Pick<Rule, 'phase'>, { view, request }: Exchange): boolean {
  if (SEQUENCES.includes(phase)) return false
  if (!view || view.pathParameters.length + view.oneTimeFields.length === 0) return true
  const sent = jsonIn(request.body ?? '')
  return view.pathParameters.length === 0 && view.oneTimeFields.every((it) => valueAt(sent, it) === undefined)
}

/** The path with masked secrets. Segments of the path template are never masked. */
function pathPieces(
  { view, request }: Exchange,
  mask: Mask,
  { operations }: EvidenceOptions['contract'],
): Piece[] {
  const [bare = '', ...query] = request.path.split(/(?=\?)/)
  const own = (view ? [view] : operations).map(({ path }) => path.split('/'))
  const steps = bare.split('/').flatMap((step, i): Piece[] => {
    const isOwn = own.some((it) => it[i] === step)
    const slash = { text: i > 0 ? '/' : '', isName: false }
    return [slash, ...(isOwn ? [{ text: step, isName: false }] : mask.pieces(step))]
  })
  return [...steps, ...query.flatMap((it) => mask.pieces(it))]
}

interface Truncated {
  readonly pieces: readonly Piece[]
  /** The full length, if the text was truncated. */
  readonly cutAt: number | undefined
}

/** Masks before it truncates, so that no secret is cut in two. */
function truncate(mask: Mask, text: string): Truncated {
  const pieces: Piece[] = []
  let room = MAX_SHOWN
  for (const it of mask.pieces(text.slice(0, MAX_SHOWN + MASKED_BEYOND))) {
    if (room <= 0) break
    pieces.push(it.isName ? it : { ...it, text: it.text.slice(0, room) })
    room -= it.text.length
  }
  return { pieces, cutAt: text.length > MAX_SHOWN ? text.length : undefined }
}

function truncatedText({ pieces, cutAt }: Truncated): string {
  return cutAt === undefined
    ? textOf(pieces)
    : `${textOf(pieces)}… (${cutAt.toLocaleString('en-US')} characters)`
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}
