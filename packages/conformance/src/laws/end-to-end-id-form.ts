import { nodeOf } from '../contract/document.ts'
import { placeOfMember } from '../contract/place-of-member.ts'
import type { Law } from '../law.ts'
import { isSuccess } from '../run/scene.ts'

/** The system tolerates twelve hours; what tells the minute in UTC is nearer, and local time in Brazil is not. */
const TOLERANCE = 90 * 60_000

export const endToEndIdForm: Law = {
  id: 'end-to-end-id-form',
  phase: 'every answer',
  question: 'end-to-end-id',
  isOurs: true,
  title: "An end_to_end_id names the payer's institution and the minute in UTC.",
  advice: 'Make it of E, the ISPB of the payer, the minute in UTC and 11 letters or digits.',
  everyAnswer: (exchange, contract) => {
    const data = nodeOf(nodeOf(exchange.body).data)
    if (!isSuccess(exchange) || exchange.view?.method === 'GET' || typeof data.end_to_end_id !== 'string')
      return undefined
    // What the contract itself shows is of the day of its examples, and a mock gives it.
    const isShown = shown(contract.document.root).has(data.end_to_end_id)
    const near = isShown ? undefined : Date.parse(String(data.settled_at)) || exchange.at
    const message = departure(data.end_to_end_id, nodeOf(data.payer).ispb, near)
    return message
      ? [
          {
            operation: exchange.view?.id,
            contract: placeOfMember(contract, exchange, 'end_to_end_id'),
            message,
          },
        ]
      : []
  },
}

function departure(id: string, ispb: unknown, near: number | undefined): string | undefined {
  const [, institution, year, month, day, hour, minute] =
    /^E(.{8})(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)[A-Za-z0-9]{11}$/.exec(id) ?? []
  if (institution === undefined) return 'Expected E, an ISPB, a minute and 11 characters, got another form.'
  if (institution !== ispb) return "Expected the ISPB of the payer, got another's."
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  if (Number.isNaN(at)) return 'Expected a minute that there is, got none.'
  return near !== undefined && Math.abs(at - near) > TOLERANCE
    ? 'Expected the minute of the transfer, got another.'
    : undefined
}

const ids = new WeakMap<object, ReadonlySet<string>>()

/** The ids that a contract shows. */
function shown(root: object): ReadonlySet<string> {
  const known = ids.get(root) ?? new Set(JSON.stringify(root).match(/\bE\d{20}[A-Za-z0-9]{11}\b/g))
  ids.set(root, known)
  return known
}
