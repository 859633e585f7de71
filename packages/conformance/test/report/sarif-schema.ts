/** An object that has these properties and no others. */
const only = (properties: object, ...required: string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})
const listOf = (items: object) => ({ type: 'array', items })
const ref = (name: string) => ({ $ref: `#/$defs/${name}` })
const string = { type: 'string' }
const uri = { type: 'string', format: 'uri' }
const time = { type: 'string', format: 'date-time' }

/** The part of the official SARIF 2.1.0 schema (OASIS, errata 01) for the properties that the reports use. */
export const SARIF = {
  ...only({ $schema: uri, version: { enum: ['2.1.0'] }, runs: listOf(ref('run')) }, 'version', 'runs'),
  $defs: {
    run: only(
      {
        tool: only({ driver: ref('toolComponent') }, 'driver'),
        automationDetails: only({ id: string }),
        columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
        invocations: listOf(ref('invocation')),
        results: listOf(ref('result')),
        properties: ref('propertyBag'),
      },
      'tool',
    ),
    toolComponent: only(
      {
        ...{ name: string, version: string, semanticVersion: string },
        rules: { ...listOf(ref('reportingDescriptor')), uniqueItems: true },
      },
      'name',
    ),
    reportingDescriptor: only(
      {
        id: string,
        shortDescription: ref('multiformatMessageString'),
        help: ref('multiformatMessageString'),
        helpUri: uri,
        properties: ref('propertyBag'),
      },
      'id',
    ),
    multiformatMessageString: only({ text: string }, 'text'),
    invocation: only(
      {
        executionSuccessful: { type: 'boolean' },
        exitCode: { type: 'integer' },
        exitCodeDescription: string,
        startTimeUtc: time,
        endTimeUtc: time,
        toolExecutionNotifications: listOf(ref('notification')),
      },
      'executionSuccessful',
    ),
    notification: only(
      {
        level: { enum: ['none', 'note', 'warning', 'error'] },
        associatedRule: only({ id: string }),
        message: ref('message'),
      },
      'message',
    ),
    result: only(
      {
        ruleId: string,
        ruleIndex: { type: 'integer', minimum: -1 },
        level: { enum: ['none', 'note', 'warning', 'error'] },
        kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
        message: ref('message'),
        locations: listOf(ref('location')),
        partialFingerprints: { type: 'object', additionalProperties: string },
        occurrenceCount: { type: 'integer', minimum: 1 },
        suppressions: { ...listOf(ref('suppression')), uniqueItems: true },
        properties: ref('propertyBag'),
      },
      'message',
    ),
    message: only({ text: string }),
    location: only({
      physicalLocation: only(
        {
          artifactLocation: only({ uri: { type: 'string', format: 'uri-reference' } }),
          region: only({ startLine: { type: 'integer', minimum: 1 } }, 'startLine'),
        },
        'artifactLocation',
      ),
      logicalLocations: { ...listOf(only({ name: string, fullyQualifiedName: string })), uniqueItems: true },
    }),
    suppression: only({ kind: { enum: ['inSource', 'external'] }, justification: string }, 'kind'),
    propertyBag: { type: 'object', properties: { tags: { ...listOf(string), uniqueItems: true } } },
  },
}
