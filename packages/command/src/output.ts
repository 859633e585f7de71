let isAllowed = false

/**
 * Lets a command end as it would have, after the reader of its output has gone, as in `check | head`.
 * What it prints from then on is dropped. Without this, Node ends the process with a stack trace.
 */
export function allowClosedOutput(): void {
  if (isAllowed) return

  isAllowed = true
  process.stdout.on('error', throwUnlessClosed)
  process.stderr.on('error', throwUnlessClosed)
}

function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
