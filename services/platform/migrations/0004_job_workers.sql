-- Workers that run jobs of this schema. Each holds an advisory lock named after its id for as long as it lives: a row whose lock
-- is free is of a worker that is gone, and its leases are ended at once rather than waited for.
create table job_worker (
  id uuid primary key,
  job_table text not null,
  started_at timestamptz not null default now()
);
