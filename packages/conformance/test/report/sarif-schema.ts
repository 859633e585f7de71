/** The part of the official SARIF 2.1.0 schema (OASIS, errata 01) for the properties that the reports use. */
export const SARIF = {
  type: 'object',
  required: ['version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', format: 'uri' },
    version: { enum: ['2.1.0'] },
    runs: { type: 'array', items: { $ref: '#/$defs/run' } },
  },
  $defs: {
    run: {
      type: 'object',
      required: ['tool'],
      additionalProperties: false,
      properties: {
        tool: {
          type: 'object',
          required: ['driver'],
          additionalProperties: false,
          properties: { driver: { $ref: '#/$defs/toolComponent' } },
        },
        automationDetails: {
          type: 'object',
          additionalProperties: false,
          properties: { id: { type: 'string' } },
        },
        columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
        invocations: { type: 'array', items: { $ref: '#/$defs/invocation' } },
        results: { type: 'array', items: { $ref: '#/$defs/result' } },
        properties: { $ref: '#/$defs/propertyBag' },
      },
    },
    toolComponent: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        version: { type: 'string' },
        semanticVersion: { type: 'string' },
        rules: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/reportingDescriptor' } },
      },
    },
    reportingDescriptor: {
      type: 'object',
      required: ['id'],
      additionalProperties: false,
      properties: {
        id: { type: 'string' },
        shortDescription: { $ref: '#/$defs/multiformatMessageString' },
        help: { $ref: '#/$defs/multiformatMessageString' },
        helpUri: { type: 'string', format: 'uri' },
        properties: { $ref: '#/$defs/propertyBag' },
      },
    },
    multiformatMessageString: {
      type: 'object',
      required: ['text'],
      additionalProperties: false,
      properties: { text: { type: 'string' } },
    },
    invocation: {
      type: 'object',
      required: ['executionSuccessful'],
      additionalProperties: false,
      properties: {
        executionSuccessful: { type: 'boolean' },
        exitCode: { type: 'integer' },
        exitCodeDescription: { type: 'string' },
        startTimeUtc: { type: 'string', format: 'date-time' },
        endTimeUtc: { type: 'string', format: 'date-time' },
        toolConfigurationNotifications: { type: 'array', items: { $ref: '#/$defs/notification' } },
        toolExecutionNotifications: { type: 'array', items: { $ref: '#/$defs/notification' } },
      },
    },
    notification: {
      type: 'object',
      required: ['message'],
      additionalProperties: false,
      properties: {
        level: { enum: ['none', 'note', 'warning', 'error'] },
        associatedRule: {
          type: 'object',
          required: ['id'],
          additionalProperties: false,
          properties: { id: { type: 'string' } },
        },
        message: { $ref: '#/$defs/message' },
        locations: { type: 'array', items: { $ref: '#/$defs/location' } },
      },
    },
    result: {
      type: 'object',
      required: ['message'],
      additionalProperties: false,
      properties: {
        ruleId: { type: 'string' },
        ruleIndex: { type: 'integer', minimum: -1 },
        level: { enum: ['none', 'note', 'warning', 'error'] },
        kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
        message: { $ref: '#/$defs/message' },
        locations: { type: 'array', items: { $ref: '#/$defs/location' } },
        partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
        occurrenceCount: { type: 'integer', minimum: 1 },
        suppressions: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/suppression' } },
        properties: { $ref: '#/$defs/propertyBag' },
      },
    },
    message: {
      type: 'object',
      required: ['text'],
      additionalProperties: false,
      properties: { text: { type: 'string' } },
    },
    location: {
      type: 'object',
      additionalProperties: false,
      properties: {
        physicalLocation: {
          type: 'object',
          required: ['artifactLocation'],
          additionalProperties: false,
          properties: {
            artifactLocation: {
              type: 'object',
              additionalProperties: false,
              properties: { uri: { type: 'string', format: 'uri-reference' } },
            },
            region: {
              type: 'object',
              required: ['startLine'],
              additionalProperties: false,
              properties: { startLine: { type: 'integer', minimum: 1 } },
            },
          },
        },
        logicalLocations: {
          type: 'array',
          uniqueItems: true,
          items: {
            type: 'object',
            additionalProperties: false,
            properties: { name: { type: 'string' }, fullyQualifiedName: { type: 'string' } },
          },
        },
      },
    },
    suppression: {
      type: 'object',
      required: ['kind'],
      additionalProperties: false,
      properties: { kind: { enum: ['inSource', 'external'] }, justification: { type: 'string' } },
    },
    propertyBag: {
      type: 'object',
      properties: { tags: { type: 'array', uniqueItems: true, items: { type: 'string' } } },
    },
  },
}
