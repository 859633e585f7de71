import { PHASES } from '../engine/rule.ts'
import { laws } from '../rules/index.ts'

/** What a service is held to, by phase: for people, or a JSON object a law. */
export function listLaws(json: boolean): string {
  if (json)
    return laws
      .map(({ id, phase, title, question }) => `${JSON.stringify({ id, phase, title, question })}\n`)
      .join('')
  const width = Math.max(...laws.map(({ id }) => id.length))
  return PHASES.flatMap((phase) => {
    const own = laws.filter((it) => it.phase === phase)
    return own.length === 0
      ? []
      : [`${phase}\n`, ...own.map(({ id, title }) => `  ${id.padEnd(width)}  ${title}\n`), '\n']
  })
    .join('')
    .trimEnd()
    .concat('\n')
}
