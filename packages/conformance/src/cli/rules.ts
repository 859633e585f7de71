import { PHASES } from '../engine/rule.ts'
import { profile } from '../profiles/index.ts'

/** What a service is held to, by phase: for people, or a JSON object a rule. */
export function listRules(json: boolean): string {
  if (json)
    return profile.rules
      .map(({ id, phase, title, cites }) => `${JSON.stringify({ id, phase, title, cites })}\n`)
      .join('')
  const width = Math.max(...profile.rules.map(({ id }) => id.length))
  return PHASES.flatMap((phase) => {
    const own = profile.rules.filter((it) => it.phase === phase)
    return own.length === 0
      ? []
      : [`${phase}\n`, ...own.map(({ id, title }) => `  ${id.padEnd(width)}  ${title}\n`), '\n']
  })
    .join('')
    .trimEnd()
    .concat('\n')
}
