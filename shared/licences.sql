-- The number under which a federation has licensed somebody to play.

alter table personal.particulars add column licence text;
