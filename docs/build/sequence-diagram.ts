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

/**
 * A sequence of messages as an SVG: a lane for each participant, and an arrow between two lanes for
 * each message, the first on top. It takes its colours from the text around it.
 */
export function sequenceDiagram(
  title: string,
  participants: readonly string[],
  messages: readonly Message[],
): string {
  const width = 2 * MARGIN + (participants.length - 1) * COLUMN
  const height = TOP + messages.length * ROW + 20
  const columnOf = (name: string) => MARGIN + participants.indexOf(name) * COLUMN

  const lanes = participants.map((name) => drawLane(name, columnOf(name), height))
  const arrows = messages.map((message, index) => {
    const y = TOP + index * ROW + 24
    return drawArrow(message, columnOf(message.from), columnOf(message.to), y)
  })
  const parts = [...lanes, ...arrows].join('')

  const sentences = messages.map(({ from, to, text }) => `${from} to ${to}: ${text}`)
  const label = escaped(`${title}: ${sentences.join('; ')}.`)
  return `<figure class="states"><svg class="states" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}" font-family="sans-serif" font-size="13">${parts}</svg></figure>`
}

/** The name of a participant in a box, and a line from there to the end. */
function drawLane(name: string, x: number, height: number): string {
  const box = `<rect x="${x - 58}" y="4" width="116" height="28" rx="6" fill="none" stroke="currentColor"/>`
  const line = `<path d="M${x} 32V${height}" stroke="currentColor" stroke-opacity="0.4"/>`
  return box + drawText(x, 22, name) + line
}

/**
 * An arrow with its text as SVG, at a height (`y`) between two lanes (`from` and `to`, in pixels). A
 * message that can be lost is dashed, and has a cross.
 */
function drawArrow(
  { text, canBeLost = false }: Message,
  from: number,
  to: number,
  y: number,
): string {
  const middle = (from + to) / 2
  const head = drawHead(to, y, to > from ? 'right' : 'left')
  const label = drawText(middle, y - 10, text)
  if (canBeLost) {
    const dashedLine = `<path d="M${from} ${y}H${to}" stroke="currentColor" stroke-dasharray="5 4"/>`
    return dashedLine + head + label + drawCross(middle, y)
  }

  const line = `<path d="M${from} ${y}H${to}" stroke="currentColor"/>`
  return line + head + label
}

function drawHead(x: number, y: number, direction: 'left' | 'right'): string {
  const back = direction === 'right' ? x - 9 : x + 9
  return `<path d="M${x} ${y}L${back} ${y - 5}V${y + 5}Z" fill="currentColor"/>`
}

function drawCross(x: number, y: number): string {
  return `<path d="M${x - 6} ${y - 6}l12 12m0 -12l-12 12" stroke="currentColor" stroke-width="2"/>`
}

function drawText(x: number, y: number, text: string): string {
  return `<text x="${x}" y="${y}" text-anchor="middle" fill="currentColor">${escaped(text)}</text>`
}
