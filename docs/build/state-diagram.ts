import type { Resource } from '@partner-payments/spec/behaviour'
import { instance } from '@viz-js/viz'

const layout = await instance()

const STYLE = [
  'bgcolor=transparent; rankdir=LR; nodesep=0.4; ranksep=0.6',
  'node [shape=box style=rounded fontname="sans-serif" fontsize=12 height=0.4]',
  'edge [fontname="sans-serif" fontsize=11 arrowsize=0.7]',
  'start [shape=point width=0.12 label=""]',
]

/**
 * The states of a resource as an SVG, which takes its colours from the text around it. Actions that
 * are refused or change nothing are left out: the list beside it has them.
 *
 * @returns undefined where no action leads from one state to another.
 */
export function stateDiagram(resource: Resource): string | undefined {
  const moves = listMoves(resource.states ?? {})
  if (moves.length === 0) return undefined

  const svg = layout.renderString(writeGraph(resource, moves), { format: 'svg' })
  const sentences = moves.map(({ from, to, action }) => `${action} moves ${from} to ${to}`)
  const label = `States of ${resource.title}: ${sentences.join('; ')}.`
  return `<figure class="states">${adaptToPage(svg, label)}</figure>`
}

/**
 * The states and moves in the language of Graphviz, such as `"pending" -> "settled"`. A final state,
 * from which no move leads, has a double line.
 */
function writeGraph({ states = {}, initial = [] }: Resource, moves: readonly Move[]): string {
  const statesWithMoves = new Set(moves.map(({ from }) => from))
  const lines = [...STYLE]
  for (const name of Object.keys(states)) {
    const isFinal = !statesWithMoves.has(name)
    lines.push(`"${name}" [${isFinal ? 'peripheries=2' : ''}]`)
  }
  for (const name of initial) lines.push(`start -> "${name}"`)
  for (const { from, to, action } of moves) lines.push(`"${from}" -> "${to}" [label=" ${action} "]`)
  return `digraph {\n${lines.join('\n')}\n}`
}

/**
 * The element `<svg>` of the XML document that Graphviz writes. It has the colour of the text around
 * it instead of black.
 */
function adaptToPage(svg: string, label: string): string {
  const adapted = svg
    .slice(svg.indexOf('<svg'))
    .replace('<svg', `<svg class="states" role="img" aria-label="${label}"`)
    .replace(TITLES_AND_COMMENTS, '')
    .replaceAll('"black"', '"currentColor"')
    .replaceAll('<text ', '<text fill="currentColor" ')
    .replaceAll(/\s*\n/g, ' ')
  return adapted.trim()
}

const TITLES_AND_COMMENTS = /<title>.*?<\/title>\n?|<!--.*?-->\n?/gs

/** An action that leads from one state to another. */
interface Move {
  readonly from: string
  readonly to: string
  readonly action: string
}

/**
 * The actions that lead from one state to another, such as `{ from: 'pending', to: 'settled', action:
 * 'settle' }`. Leaves out those that are refused or change nothing.
 */
function listMoves(states: NonNullable<Resource['states']>): Move[] {
  const moves: Move[] = []
  for (const [from, { on = {} }] of Object.entries(states)) {
    for (const [action, { to }] of Object.entries(on)) {
      const isMove = to !== undefined && to !== from
      if (isMove) moves.push({ from, to, action })
    }
  }
  return moves
}
