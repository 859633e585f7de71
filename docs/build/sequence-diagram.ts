import { escaped } from './marks.ts'

/** A message from one participant to another, by their names. */
export interface Message {
  readonly from: string
  readonly to: string
  readonly text: string
  /** Whether it is drawn as a message that can be lost. */
  readonly canBeLost?: boolean
}

const COLUMN = 140
const ROW = 44
const TOP = 56
const MARGIN = 62

/** A sequence of messages as an SVG, which takes its colours from the text around it. */
export function sequenceDiagram(
  title: string,
  participants: readonly string[],
  messages: readonly Message[],
): string {
  const width = 2 * MARGIN + (participants.length - 1) * COLUMN
  const height = TOP + messages.length * ROW + 20
  const columnOf = (name: string) => MARGIN + participants.indexOf(name) * COLUMN

  const lanes = participants.map((name) => {
    const x = columnOf(name)
    const box = `<rect x="${x - 58}" y="4" width="116" height="28" rx="6" fill="none" stroke="currentColor"/>`
    const line = `<path d="M${x} 32V${height}" stroke="currentColor" stroke-opacity="0.4"/>`
    return box + drawText(x, 22, name) + line
  })
  const arrows = messages.map((message, index) => {
    const y = TOP + index * ROW + 24
    return drawArrow(message, columnOf(message.from), columnOf(message.to), y)
  })

  const label = messages.map(({ from, to, text }) => `${from} to ${to}: ${text}`).join('; ')
  const parts = [...lanes, ...arrows].join('')
  return `<figure class="states"><svg class="states" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(`${title}: ${label}.`)}" font-family="sans-serif" font-size="13">${parts}</svg></figure>`
}

/** An arrow with its text as SVG. A message that can be lost is dashed, and has a cross. */
function drawArrow(
  { text, canBeLost = false }: Message,
  from: number,
  to: number,
  y: number,
): string {
  const direction = to > from ? 1 : -1
  const dash = canBeLost ? ' stroke-dasharray="5 4"' : ''
  const line = `<path d="M${from} ${y}H${to}" stroke="currentColor"${dash}/>`
  const back = to - direction * 9
  const head = `<path d="M${to} ${y}L${back} ${y - 5}V${y + 5}Z" fill="currentColor"/>`
  const middle = (from + to) / 2
  const cross = canBeLost
    ? `<path d="M${middle - 6} ${y - 6}l12 12m0 -12l-12 12" stroke="currentColor" stroke-width="2"/>`
    : ''
  return line + head + drawText(middle, y - 10, text) + cross
}

function drawText(x: number, y: number, text: string): string {
  return `<text x="${x}" y="${y}" text-anchor="middle" fill="currentColor">${escaped(text)}</text>`
}
