-- Where bytes are that lie in a file under DATA_DIR (platform/blobs/segments): which file, and where in it. Null for all others. The
-- index is made by the one process that keeps such files, so that no other waits for it.
alter table blob add column segment integer, add column segment_offset integer;
