// Generated from control.openapi.yaml by npm run generate; not to be edited.

/** The JSON Schema of a stub; `wrongStub` checks what it cannot say. */
export const STUB_SCHEMA = {
  "type": "object",
  "additionalProperties": false,
  "description": "A response to calls that no operation handles. In strings in `body`, and in values in `headers`, `{{path.id}}`, `{{query.page}}` and `{{body.user}}` stand for values that the call sent, and `{{token body.user}}` for a bearer token derived from that value.",
  "required": [
    "method",
    "path"
  ],
  "properties": {
    "method": {
      "type": "string",
      "enum": [
        "GET",
        "POST",
        "PUT",
        "PATCH",
        "DELETE"
      ],
      "description": "The method; a stub of GET handles HEAD as well."
    },
    "path": {
      "type": "string",
      "maxLength": 2000,
      "description": "The path, or a template such as `/invoices/{id}`."
    },
    "status": {
      "type": "integer",
      "minimum": 200,
      "maximum": 599,
      "description": "The status; 200 if left out."
    },
    "headers": {
      "type": "object",
      "additionalProperties": {
        "type": "string"
      },
      "description": "Header fields of the response."
    },
    "body": {
      "description": "A JSON value; no body if left out. With a Content-Type that is not JSON it is a string, which is sent as text."
    },
    "responses": {
      "type": "array",
      "minItems": 1,
      "maxItems": 100,
      "description": "Instead of `status`, `headers` and `body`: the responses to the first call, the second, and so on; the last one repeats. A stub for every caller starts with the first response in each account.",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "description": "One response of a stub.",
        "properties": {
          "status": {
            "type": "integer",
            "minimum": 200,
            "maximum": 599,
            "description": "The status; 200 if left out."
          },
          "headers": {
            "type": "object",
            "additionalProperties": {
              "type": "string"
            },
            "description": "Header fields of the response."
          },
          "body": {
            "description": "A JSON value; no body if left out. With a Content-Type that is not JSON it is a string, which is sent as text."
          }
        }
      }
    },
    "needsToken": {
      "type": "boolean",
      "description": "True if a call without a valid token is refused with 401; false if left out. An account's stub always needs the token of that account."
    }
  }
} as const;
