import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Recorded } from '../../src/next/history.ts'

/** Writes a history as JSON lines, compressed by gzip. */
export function writeRecording(file: string, events: readonly Recorded[]): void {
  writeFileSync(file, gzipSync(events.map((it) => JSON.stringify(it)).join('\n'), { level: 1 }))
}

export function readRecording(file: string): Recorded[] {
  const lines = gunzipSync(readFileSync(file)).toString().split('\n')
  return lines.map((line) => JSON.parse(line) as Recorded)
}
