import { isHolding } from '../behaviour/faults-panel.js';
import type { Behaviour } from '../behaviour/use-behaviour.js';
import { call } from '../connection/call.js';
import type { StreamedRequest } from '../connection/request-log.js';
import { Button } from '../parts/controls.js';
import { Errors, useAction } from '../parts/use-action.js';

interface LetGoProps {
  readonly behaviour: Behaviour;
  readonly request: StreamedRequest;
}

/** The faults that the request's account has now; none if it is not in view. */
export function faultsOf({ account, value }: Behaviour, request: StreamedRequest) {
  return account !== undefined && account === request.account ? (value?.faults ?? []) : [];
}

/** Removes the fault that holds a request, if one does. */
export function LetGo({ behaviour, request }: LetGoProps) {
  const action = useAction(behaviour.reload);
  const { account } = request;
  const fault = faultsOf(behaviour, request).find((one) => isHolding(one, request));
  if (!fault) return null;
  const remove = () => call(`/faults/${fault.id}`, { method: 'DELETE', account });
  return (
    <>
      <Button title={`Removes fault ${fault.id}`} onClick={() => action.run(remove)}>
        Let go
      </Button>
      <Errors sentences={action.errors} />
    </>
  );
}
